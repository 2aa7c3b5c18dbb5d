import assert from 'node:assert/strict'
import { atLeast, type Benchmark } from '../harness/benchmark.ts'
import { seededId } from '../harness/key.ts'
import { comparePairs, readOnce } from '../worlds/ticket-pairs.ts'

const TICKETS_PATH = `/api/v1/projects/${seededId('prj', 0)}/tickets`
const ROOTS_PATH = `${TICKETS_PATH}/tree?limit=100`
const CHILDREN_PATH = `${ROOTS_PATH}&parent=${seededId('tkt', 0)}`
/** The number of pages to skip before a page counts as deep. The smallest seed has five pages of root tickets. */
const PAGES_SKIPPED = { '10k': 3, '100k': 40, '1m': 400 } as const

interface Page {
  items: { id: string }[]
  nextCursor: string
}

export const ticketTree: Benchmark = {
  id: 'P5',
  name: 'ticket-tree',
  measures: 'a page of 100 tickets of the tree, against a keyset query by hand',
  goals: ['root and child >= 0.25 of the query', 'deep >= 0.83 of first', 'at any size >= 0.67 of 10k'],
  tools: ['wrk'],
  run: (options) =>
    comparePairs(options, async (start) => {
      const [product, ceiling] = [await start(options.rows), await start(options.rows, 'tickets')]
      const roots = { side: product, path: ROOTS_PATH }
      const children = { side: product, path: CHILDREN_PATH }
      let cursor = ''
      for (let page = 0; page < PAGES_SKIPPED[options.rows]; page++) {
        const path = cursor === '' ? ROOTS_PATH : `${ROOTS_PATH}&cursor=${cursor}`
        const { items, nextCursor } = await readOnce<Page>({ side: product, path })
        assert.equal(items.length, 100)
        cursor = encodeURIComponent(nextCursor)
      }
      const small = options.rows === '10k' ? null : await start('10k')
      return [
        {
          figure: 'root',
          ours: roots,
          theirs: { side: ceiling, path: `${TICKETS_PATH}/roots?with=0&with=` },
          goal: atLeast(0.25),
        },
        {
          figure: 'child',
          ours: children,
          theirs: { side: ceiling, path: `${TICKETS_PATH}/children?with=${seededId('tkt', 0)}` },
          goal: atLeast(0.25),
        },
        {
          figure: 'deep / first',
          ours: { side: product, path: `${ROOTS_PATH}&cursor=${cursor}` },
          theirs: roots,
          goal: atLeast(0.83),
        },
        ...(small === null
          ? []
          : [
              {
                figure: 'root / 10k',
                ours: roots,
                theirs: { side: small, path: ROOTS_PATH },
                goal: atLeast(0.67),
              },
            ]),
      ]
    }),
}
