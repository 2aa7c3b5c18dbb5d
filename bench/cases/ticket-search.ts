import assert from 'node:assert/strict'
import { atLeast, type Benchmark } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { comparePairs, readOnce } from './ticket-pairs.ts'

// The project of the seed that has the needles.
const TICKETS = `/api/v1/projects/${seededId('prj', 0)}/tickets`
const NEEDLE = `${TICKETS}/search?q=needle&limit=100`

export const ticketSearch: Benchmark = {
  id: 'P3',
  name: 'ticket-search',
  measures: 'search 100 hits, against a trigram query by hand; two letters that nothing has, against a scan',
  goals: ['hits >= 0.6 of the query', 'two letters >= 2 of the scan', '1m >= 0.5 of 100k'],
  tools: ['wrk'],
  run: (options) =>
    comparePairs(options, async (start) => {
      const [product, ceiling] = [await start(options.rows), await start(options.rows, 'tickets')]
      const hits = { side: product, path: NEEDLE }
      const byHand = { side: ceiling, path: `${TICKETS}/search?with=needle` }
      const { items } = await readOnce<{ items: unknown[] }>(hits)
      assert.equal(items.length, (await readOnce<unknown[]>(byHand)).length)
      return [
        { figure: 'hits', ours: hits, theirs: byHand, goal: atLeast(0.6) },
        ...(options.rows === '1m'
          ? [
              {
                figure: '1m / 100k',
                ours: hits,
                theirs: { side: await start('100k'), path: NEEDLE },
                goal: atLeast(0.5),
              },
            ]
          : []),
        // Last: scans go on in the database after the window that asked for them.
        {
          figure: 'two letters',
          ours: { side: product, path: `${TICKETS}/search?q=zz&limit=100` },
          theirs: { side: ceiling, path: `${TICKETS}/scan?with=zz` },
          goal: atLeast(2),
          // One scan at a time: sixteen beside each other end after the window.
          connections: 1,
        },
      ]
    }),
}
