import * as z from 'zod'
import type { Cloud } from './client.ts'
import { CloudflareError } from './errors.ts'

/** One event with one group. Numbers are scaled up to what was before sampling. */
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
  last_at: z.string(),
})
const Answer = z.looseObject({ data: z.array(Row) })
const Tables = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) })

/** More combinations than that have no place in a list; the most frequent come first. */
const ROWS_MAX = 2000

/** The columns are what `runtime/events/record.ts` writes. Weights are apart, because the rate may change at any time. */
const queryOf = (dataset: string, days: number, since: Date): string => `
  SELECT blob1 AS name, blob2 AS word, double2 AS weight, if(blob3 = '', 0, 1) AS has_visitor,
    sum(_sample_interval) AS points, sum(_sample_interval * double1) AS total,
    count(DISTINCT blob3) AS visitors, max(timestamp) AS last_at
  FROM ${dataset}
  WHERE timestamp > NOW() - INTERVAL '${days}' DAY
    AND timestamp >= toDateTime('${since.toISOString().slice(0, 19).replace('T', ' ')}')
  GROUP BY name, word, weight, has_visitor
  ORDER BY points DESC LIMIT ${ROWS_MAX} FORMAT JSON`

/** Returns the events of a dataset since a time, at most so many days, the most frequent first. */
export async function countEvents(
  cloud: Cloud,
  dataset: string,
  { days, since }: { days: number; since: Date },
): Promise<EventCount[]> {
  const counts = new Map<string, EventCount>()
  for (const row of await readRows(cloud, dataset, queryOf(dataset, days, since))) {
    const key = JSON.stringify([row.name, row.word])
    const lastAt = new Date(`${row.last_at.replace(' ', 'T')}Z`)
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

/** A dataset appears with its first point: before it there is nothing to read. */
async function readRows(cloud: Cloud, dataset: string, sql: string): Promise<z.output<typeof Row>[]> {
  try {
    return (await query(cloud, sql, Answer)).data
  } catch (error) {
    const isRefused = error instanceof CloudflareError && [400, 404, 422].includes(error.status ?? 0)
    if (!isRefused || (await query(cloud, 'SHOW TABLES FORMAT JSON', Tables)).data.some(isNamed)) throw error
    return []
  }
  function isNamed(row: Record<string, unknown>): boolean {
    return Object.values(row).includes(dataset)
  }
}

const query = <T>(cloud: Cloud, text: string, result: z.ZodType<T>): Promise<T> =>
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
