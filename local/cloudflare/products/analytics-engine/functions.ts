export type SqlType = 'String' | 'Float64' | 'UInt64' | 'UInt32' | 'UInt8' | 'DateTime'

/** A part of a query in SQLite's syntax. The query's string literals are bound as numbered parameters and are never part of `sql`. */
export interface SqlPart {
  sql: string
  type: SqlType
}

interface SqlFunction {
  /** Minimum and maximum number of arguments. */
  takes: [number, number]
  /** Returns null when the function cannot be called with these arguments. */
  make(args: SqlPart[], isDistinct: boolean): SqlPart | null
}

const sqlCall = (sql: string, type: SqlType): SqlFunction => ({
  takes: [1, 1],
  make: ([first], isDistinct) => (isDistinct ? null : { sql: sql.replace('@', first?.sql ?? ''), type }),
})
const typePreservingCall = (sql: string): SqlFunction => ({
  takes: [1, 1],
  make: ([first], isDistinct) =>
    isDistinct || first === undefined ? null : { sql: sql.replace('@', first.sql), type: first.type },
})

/** Rounds a time down. Times are whole epoch seconds. */
const startOf = (seconds: number): SqlFunction => sqlCall(`(@ / ${seconds} * ${seconds})`, 'DateTime')

/** The functions, by their names in lower case. */
export const SQL_FUNCTIONS: Record<string, SqlFunction> = {
  count: {
    takes: [0, 1],
    make: ([first], isDistinct) => {
      if (first === undefined) return isDistinct ? null : { sql: 'count(*)', type: 'UInt64' }
      return { sql: `count(${isDistinct ? 'DISTINCT ' : ''}${first.sql})`, type: 'UInt64' }
    },
  },
  sum: {
    takes: [1, 1],
    make: ([first], isDistinct) =>
      isDistinct || first === undefined
        ? null
        : { sql: `coalesce(sum(${first.sql}), 0)`, type: first.type === 'Float64' ? 'Float64' : 'UInt64' },
  },
  avg: sqlCall('avg(@)', 'Float64'),
  min: typePreservingCall('min(@)'),
  max: typePreservingCall('max(@)'),
  now: { takes: [0, 0], make: () => ({ sql: 'unixepoch()', type: 'DateTime' }) },
  todatetime: sqlCall('unixepoch(@)', 'DateTime'),
  tounixtimestamp: sqlCall('(@)', 'UInt32'),
  touint32: sqlCall('CAST(@ AS INTEGER)', 'UInt32'),
  tostring: sqlCall('CAST(@ AS TEXT)', 'String'),
  tostartofminute: startOf(60),
  tostartofhour: startOf(3600),
  tostartofday: startOf(86_400),
  tostartofinterval: {
    takes: [2, 2],
    make: ([time, interval]) =>
      time === undefined || interval === undefined
        ? null
        : { sql: `(${time.sql} - ${time.sql} % ${interval.sql})`, type: 'DateTime' },
  },
  round: typePreservingCall('round(@)'),
  floor: typePreservingCall('floor(@)'),
  lower: sqlCall('lower(@)', 'String'),
  upper: sqlCall('upper(@)', 'String'),
  length: sqlCall('length(@)', 'UInt64'),
  if: {
    takes: [3, 3],
    make: ([condition, yes, no]) =>
      condition === undefined || yes === undefined || no === undefined
        ? null
        : { sql: `iif(${condition.sql}, ${yes.sql}, ${no.sql})`, type: yes.type },
  },
}
