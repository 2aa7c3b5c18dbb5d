import assert from 'node:assert/strict'
import { atLeast, type Benchmark, type Size } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { comparePairs, type Pair, readOnce } from '../worlds/ticket-pairs.ts'

// The project of the seed whose tickets contain the searched word.
const TICKETS_PATH = `/api/v1/projects/${seededId('prj', 0)}/tickets`
const NEEDLE_SEARCH = `${TICKETS_PATH}/search?q=needle&limit=100`
/** A word with at least a hundred hits: in the smallest seed only ten tickets contain "needle". */
const frequentWord = (rows: Size) => (rows === '10k' ? 'ticket 1' : 'needle')

export const ticketSearch: Benchmark = {
  id: 'P3',
  name: 'ticket-search',
  measures: 'search 100 hits, against a trigram query by hand; two letters that nothing has, against a scan',
  goals: ['hits >= 0.6 of the query', 'two letters >= 2 of the scan', '1m >= 0.5 of 100k'],
  tools: ['wrk'],
  run: (options) =>
    comparePairs(options, async (start) => {
      const [product, ceiling] = [await start(options.rows), await start(options.rows, 'tickets')]
      const search = async (figure: string, text: string): Promise<Pair> => {
        const q = encodeURIComponent(text)
        const ours = { side: product, path: `${TICKETS_PATH}/search?q=${q}&limit=100` }
        const theirs = { side: ceiling, path: `${TICKETS_PATH}/search?with=${q}` }
        const { items } = await readOnce<{ items: unknown[] }>(ours)
        assert.equal(items.length, (await readOnce<unknown[]>(theirs)).length)
        return { figure, ours, theirs, goal: atLeast(0.6) }
      }
      return [
        await search('hits', frequentWord(options.rows)),
        ...(options.rows === '10k' ? [await search('ten hits', 'needle')] : []),
        ...(options.rows === '1m'
          ? [
              {
                figure: '1m / 100k',
                ours: { side: product, path: NEEDLE_SEARCH },
                theirs: { side: await start('100k'), path: NEEDLE_SEARCH },
                goal: atLeast(0.5),
              },
            ]
          : []),
        // This pair is last, because its scans keep Postgres busy even after the measurement has ended.
        {
          figure: 'two letters',
          ours: { side: product, path: `${TICKETS_PATH}/search?q=zz&limit=100` },
          theirs: { side: ceiling, path: `${TICKETS_PATH}/scan?with=zz` },
          goal: atLeast(2),
          // One scan at a time, because sixteen parallel scans would not finish within the measurement.
          connections: 1,
        },
      ]
    }),
}
