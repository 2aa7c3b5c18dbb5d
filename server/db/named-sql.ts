import { CompiledQuery } from 'kysely'

/** SQL with named parameters, translated for Postgres, which only has parameters by position. */
export interface NamedSql<Params, Row = unknown> {
  /** The SQL with `$1`, `$2` and so on, in the order in which the names first occur. */
  text: string
  /** Returns the values in the order of the numbers. Throws when a value is missing, because pg would send null instead. */
  values(params: Params): unknown[]
  /** Returns the query for `executeQuery` of a transaction. */
  query(params: Params): CompiledQuery<Row>
}

// Matches `:name`, but neither a cast (`::text`), nor a colon within a word (`HH24:MI`) or after a JSON key (`"id":null`).
const NAMED_PARAMETER = /(?<![:\w"]):([a-z]\w*)/gi

/** Parses SQL with parameters like `:title`. A name may occur several times. */
export function namedSql<Params extends object, Row = unknown>(sql: string): NamedSql<Params, Row> {
  const names: string[] = []
  const text = sql.replaceAll(NAMED_PARAMETER, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  const valuesOf = (params: Params) =>
    names.map((name) => {
      const value: unknown = Reflect.get(params, name)
      if (value === undefined) throw new Error(`the parameter :${name} has no value`)
      return value
    })
  return { text, values: valuesOf, query: (params) => CompiledQuery.raw(text, valuesOf(params)) }
}
