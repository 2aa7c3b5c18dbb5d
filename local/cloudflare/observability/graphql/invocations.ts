import * as z from 'zod'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { type FieldResolvers, QueryRefusal } from './execute.ts'

/** The GraphQL node `workersInvocationsAdaptive`: how often the workers of an account were called. */

const MINUTE_MS = 60_000
const ROWS_MAX = 10_000

const DIMENSION_COLUMNS: Record<string, { sql: string; show(value: string | number): string }> = {
  scriptName: { sql: 'script', show: String },
  datetimeMinute: { sql: 'minute', show: (minute) => toIsoTime(Number(minute) * MINUTE_MS) },
  datetimeHour: { sql: 'minute / 60', show: (hour) => toIsoTime(Number(hour) * 60 * MINUTE_MS) },
  date: { sql: 'minute / 1440', show: (day) => toIsoTime(Number(day) * 1440 * MINUTE_MS).slice(0, 10) },
}

const toIsoTime = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

const Moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const Filter = z.strictObject({
  scriptName: z.string().optional(),
  scriptName_in: z.array(z.string()).max(1000).optional(),
  datetime_geq: Moment.optional(),
  datetime_leq: Moment.optional(),
})
const Arguments = z.strictObject({
  limit: z.number().int().min(1).max(ROWS_MAX),
  filter: Filter.default({}),
})

interface InvocationRow {
  requests: number
  errors: number
  wall_ms: number
  [dimension: string]: string | number
}

/** Returns one row per combination of the requested dimensions. */
export function readInvocations(
  telemetry: Telemetry,
  accountId: string,
  args: Record<string, unknown>,
  wanted: string[],
): FieldResolvers[] {
  const read = Arguments.safeParse(args)
  if (!read.success) throw new QueryRefusal(z.prettifyError(read.error), 'parse')
  const { limit, filter } = read.data
  const dimensions = wanted.map((name) => {
    const dimension = Object.hasOwn(DIMENSION_COLUMNS, name) ? DIMENSION_COLUMNS[name] : undefined
    if (dimension === undefined) throw new QueryRefusal(`unknown field "${name}"`)
    return { name, ...dimension }
  })
  const { scriptName: one, scriptName_in: several } = filter
  const scripts =
    one === undefined ? (several ?? null) : [one].filter((name) => several?.includes(name) ?? true)
  const columns = dimensions.map(({ name, sql }) => `${sql} AS ${name}`)
  const sums = ['requests', 'errors', 'wall_ms'].map((name) => `total(${name}) AS ${name}`)
  const rows = telemetry.all<InvocationRow>(
    `SELECT ${[...columns, ...sums].join(', ')} FROM invocations
     WHERE account_id = ?1 AND minute BETWEEN ?2 AND ?3
       ${scripts === null ? '' : 'AND script IN (SELECT value FROM json_each(?5))'}
     ${dimensions.length === 0 ? '' : `GROUP BY ${dimensions.map(({ sql }) => sql).join(', ')}`} LIMIT ?4`,
    accountId,
    Math.floor((filter.datetime_geq ?? 0) / MINUTE_MS),
    Math.floor((filter.datetime_leq ?? Date.now()) / MINUTE_MS),
    limit,
    ...(scripts === null ? [] : [JSON.stringify(scripts)]),
  )
  return rows.map((row) => ({
    sum: () => ({
      requests: () => row.requests,
      errors: () => row.errors,
      // The local cloud does not count calls between workers.
      subrequests: () => 0,
      // The provider's unit is microseconds.
      wallTime: () => Math.round(row.wall_ms * 1000),
    }),
    dimensions: () =>
      Object.fromEntries(dimensions.map(({ name, show }) => [name, () => show(row[name] ?? '')])),
  }))
}
