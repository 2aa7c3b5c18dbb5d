import * as z from 'zod'
import type { Cloud } from '../client.ts'
import type { TimeWindow } from './graphql.ts'
import { parseJson } from '../../lib/json.ts'

/**
 * An error of a live app, parsed from a log line that the runtime wrote (Workers Logs). Every field is untrusted,
 * because the app's generated code can write any text to the log.
 */
export interface LoggedError {
  message: string
  stack: string | null
  route: string | null
  /**
   * The tier of the app, `production` or `preview`, in a log line of a worker that both tiers share. Null in a line
   * of a worker that belongs to one tier.
   */
  tier: string | null
  /** The commit of the release that logged the line. Null in a line of a worker that has no release. */
  release: string | null
  at: Date
}

export interface ErrorsInTime {
  script: string
  at: Date
  count: number
}

const QUERY_PATH = '/accounts/:account/workers/observability/telemetry/query'
// The most lines that the provider returns in one response.
const ROWS_MAX = 2000

const equalsFilter = (key: string, value: string) => ({ key, operation: 'eq', type: 'string', value })
/** Selects error lines by the field `kind`. The filter for the level only makes the provider's search faster. */
const ERROR_LINES = [equalsFilter('$metadata.level', 'error'), equalsFilter('kind', 'error')]

/** A date as text, or in milliseconds since 1970. */
const Time = z
  .union([z.string(), z.number()])
  .transform((value) => new Date(value))
  .pipe(z.date())

const Line = z.looseObject({
  message: z.string(),
  stack: z.string().nullish(),
  route: z.string().nullish(),
  tier: z.string().nullish(),
  release: z.string().nullish(),
})
const Events = z.looseObject({
  events: z.looseObject({
    events: z.array(z.looseObject({ timestamp: Time, source: z.unknown() })).nullish(),
  }),
})

/** Returns the newest error lines of a worker, newest first, at most 2,000. */
export async function readErrorLines(
  cloud: Cloud,
  script: string,
  { from, to }: TimeWindow,
): Promise<LoggedError[]> {
  const { events } = await cloud.call({
    method: 'POST',
    path: QUERY_PATH,
    json: {
      queryId: 'slipway-errors',
      view: 'events',
      limit: ROWS_MAX,
      timeframe: { from: from.getTime(), to: to.getTime() },
      parameters: {
        filterCombination: 'and',
        filters: [equalsFilter('$metadata.service', script), ...ERROR_LINES],
      },
    },
    doing: `read the errors of the worker ${script}`,
    result: Events,
    write: null,
    repeatable: true,
  })
  return (events.events ?? []).flatMap(({ timestamp, source }) => {
    const line = Line.safeParse(typeof source === 'string' ? parseJson(source) : source).data
    if (line === undefined) return []
    return [
      {
        message: line.message,
        stack: line.stack ?? null,
        route: line.route ?? null,
        tier: line.tier ?? null,
        release: line.release ?? null,
        at: timestamp,
      },
    ]
  })
}

const Sums = z.looseObject({
  calculations: z.array(
    z.looseObject({
      series: z.array(
        z.looseObject({
          time: Time,
          data: z.array(
            z.looseObject({
              value: z.number(),
              groups: z.array(z.looseObject({ key: z.string(), value: z.unknown() })).nullish(),
            }),
          ),
        }),
      ),
    }),
  ),
})

/** Returns the number of errors that each worker logged in each interval. Cloudflare chooses the length of the intervals. */
export async function countErrorLines(cloud: Cloud, { from, to }: TimeWindow): Promise<ErrorsInTime[]> {
  const { calculations } = await cloud.call({
    method: 'POST',
    path: QUERY_PATH,
    json: {
      queryId: 'slipway-error-counts',
      view: 'calculations',
      limit: ROWS_MAX,
      timeframe: { from: from.getTime(), to: to.getTime() },
      parameters: {
        filterCombination: 'and',
        filters: ERROR_LINES,
        calculations: [{ operator: 'count' }],
        groupBys: [{ type: 'string', value: '$metadata.service' }],
      },
    },
    doing: 'count the errors of the workers',
    result: Sums,
    write: null,
    repeatable: true,
  })
  return calculations.flatMap(({ series }) =>
    series.flatMap(({ time, data }) =>
      data.flatMap(({ value, groups }) => {
        const script = groups?.find(({ key }) => key === '$metadata.service')?.value
        return typeof script === 'string' ? [{ script, at: time, count: value }] : []
      }),
    ),
  )
}
