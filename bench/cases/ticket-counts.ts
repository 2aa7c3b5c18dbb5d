import { atLeast, type Benchmark } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { comparePairs } from '../worlds/ticket-pairs.ts'

const TICKETS_PATH = `/api/v1/projects/${seededId('prj', 0)}/tickets`
/** The 50 tickets of the project that have children in the largest seed, and 450 tickets without children. */
const COUNTED_IDS = Array.from({ length: 500 }, (_, i) => seededId('tkt', i < 50 ? i * 20_000 : i * 10))

export const ticketCounts: Benchmark = {
  id: 'P6',
  name: 'ticket-counts',
  measures: 'stats, labels and rollups of 500 tickets, against counting',
  goals: ['at 1m stats and labels >= 5 of counting', 'at 1m rollups >= 2 of a recursive query'],
  tools: ['wrk'],
  run: (options) =>
    comparePairs(options, async (start) => {
      const [product, ceiling] = [await start(options.rows), await start(options.rows, 'tickets')]
      // The product reads stored counts. Stored counts pay off only in large projects, so only the largest seed has goals.
      const goal = (bound: number) => (options.rows === '1m' ? atLeast(bound) : null)
      const pair = (what: string, bound: number, body?: object) => {
        const ask = { path: `${TICKETS_PATH}/${what}`, ...(body !== undefined && { body }) }
        return {
          figure: what,
          ours: { side: product, ...ask },
          theirs: { side: ceiling, ...ask },
          goal: goal(bound),
          // One request at a time, because sixteen parallel counts of a million rows would not finish within the measurement.
          connections: 1,
        }
      }
      return [pair('stats', 5), pair('labels', 5), pair('rollups', 2, { ids: COUNTED_IDS })]
    }),
}
