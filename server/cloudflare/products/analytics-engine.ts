import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { CloudflareError } from '../errors.ts'

/** How often one event occurred in one group. The numbers are estimates that the provider computes from a sample. */
export interface EventCount {
  name: string
  group: string
  count: number
  value: number
  visitors: number
  lastAt: Date
}

// The provider writes 64-bit integers as text.
const Row = z.looseObject({
  name: z.string(),
  word: z.string(),
  weight: z.coerce.number(),
  has_visitor: z.coerce.number(),
  points: z.coerce.number(),
  total: z.coerce.number(),
  visitors: z.coerce.number(),
  last_at: z
    .string()
    .transform((text) => new Date(`${text.replace(' ', 'T')}Z`))
    .pipe(z.date()),
})
const DayRow = z.looseObject({
  day: z.string(),
  is_view: z.coerce.number(),
  weight: z.coerce.number(),
  points: z.coerce.number(),
})
const Tables = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) })

/** The maximum number of rows. The most frequent events come first, so only rare events are cut off. */
const ROWS_MAX = 2000

interface QueryWindow {
  days: number
  since: Date
}

const windowClause = ({ days, since }: QueryWindow): string =>
  `WHERE timestamp > NOW() - INTERVAL '${days}' DAY
    AND timestamp >= toDateTime('${since.toISOString().slice(0, 19).replace('T', ' ')}')`

/**
 * `runtime/events/record.ts` writes these columns. `double2` is the weight, the number of events that a row counts
 * for. Rows are grouped by weight, because the runtime's sampling rate may change at any time.
 */
const eventTotalsSql = (dataset: string, window: QueryWindow): string => `
  SELECT blob1 AS name, blob2 AS word, double2 AS weight, if(blob3 = '', 0, 1) AS has_visitor,
    sum(_sample_interval) AS points, sum(_sample_interval * double1) AS total,
    count(DISTINCT blob3) AS visitors, max(timestamp) AS last_at
  FROM ${dataset}
  ${windowClause(window)}
  GROUP BY name, word, weight, has_visitor
  ORDER BY points DESC LIMIT ${ROWS_MAX} FORMAT JSON`

/** The counts of one day. A view is an event named `pageview`; `events` counts the others. Days without events are left out. */
export interface DayCount {
  /** The day in UTC, like 2026-11-26. */
  day: string
  views: number
  events: number
}

const daysQueryOf = (dataset: string, { days, since }: QueryWindow): string => `
  SELECT toStartOfDay(timestamp) AS day, if(blob1 = 'pageview', 1, 0) AS is_view, double2 AS weight,
    sum(_sample_interval) AS points
  FROM ${dataset}
  ${windowClause({ days, since })}
  GROUP BY day, is_view, weight
  ORDER BY day LIMIT ${ROWS_MAX} FORMAT JSON`

export async function countDays(cloud: Cloud, dataset: string, window: QueryWindow): Promise<DayCount[]> {
  const found = new Map<string, DayCount>()
  for (const row of await queryRows(cloud, { dataset, sql: daysQueryOf(dataset, window), row: DayRow })) {
    const day = row.day.slice(0, 10)
    const known = found.get(day) ?? { day, views: 0, events: 0 }
    const count = row.points * row.weight
    found.set(day, {
      day,
      views: known.views + (row.is_view === 1 ? count : 0),
      events: known.events + (row.is_view === 1 ? 0 : count),
    })
  }
  return [...found.values()]
}

/**
 * Returns the events, the most frequent first. The query returns several rows for an event, such as one for each
 * weight, which are added up.
 */
export async function countEvents(cloud: Cloud, dataset: string, window: QueryWindow): Promise<EventCount[]> {
  const counts = new Map<string, EventCount>()
  for (const row of await queryRows(cloud, { dataset, sql: eventTotalsSql(dataset, window), row: Row })) {
    const key = JSON.stringify([row.name, row.word])
    const { last_at: lastAt } = row
    const known = counts.get(key) ?? {
      name: row.name,
      group: row.word,
      count: 0,
      value: 0,
      visitors: 0,
      lastAt,
    }
    counts.set(key, {
      ...known,
      count: known.count + row.points * row.weight,
      value: known.value + row.total * row.weight,
      visitors: known.visitors + (row.has_visitor === 1 ? row.visitors * row.weight : 0),
      lastAt: lastAt > known.lastAt ? lastAt : known.lastAt,
    })
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)
}

/** Runs a query. Returns no rows when the dataset does not exist, which is the case until the first event is written. */
async function queryRows<T>(
  cloud: Cloud,
  { dataset, sql, row }: { dataset: string; sql: string; row: z.ZodType<T> },
): Promise<T[]> {
  try {
    return (await runQuery(cloud, sql, z.looseObject({ data: z.array(row) }))).data
  } catch (error) {
    const isRefused = error instanceof CloudflareError && [400, 404, 422].includes(error.status ?? 0)
    if (!isRefused || (await runQuery(cloud, 'SHOW TABLES FORMAT JSON', Tables)).data.some(isNamed))
      throw error
    return []
  }
  function isNamed(row: Record<string, unknown>): boolean {
    return Object.values(row).includes(dataset)
  }
}

const runQuery = <T>(cloud: Cloud, text: string, result: z.ZodType<T>): Promise<T> =>
  cloud.call({
    method: 'POST',
    path: '/accounts/:account/analytics_engine/sql',
    text,
    doing: 'read the events of the app',
    result,
    isWhole: true,
    write: null,
    repeatable: true,
  })
