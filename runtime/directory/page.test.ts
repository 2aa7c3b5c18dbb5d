import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseQuery } from '../data/query.ts'
import type { CollectionSpec } from '../kernel/manifest.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { directoryPage } from './page.ts'
import { DirectoryStore } from './store.ts'

const DIARY: CollectionSpec = {
  title: 'Diary',
  partition: 'user',
  read: 'owner',
  write: 'owner',
  fields: {
    mood: { type: 'enum', values: ['good', 'bad'], index: true },
    stars: { type: 'integer', index: true },
  },
}

function openDirectory() {
  const storage = memoryStorage()
  const directory = new DirectoryStore(storage)
  const put = (partition: string, n: number, fields: Record<string, unknown>) => {
    const at = `2026-11-20T00:00:0${n}.000Z`
    const row = {
      id: `record-${n}`,
      owner: partition,
      rev: 1,
      created_at: at,
      updated_at: at,
      json: JSON.stringify(fields),
    }
    directory.apply(partition, {
      to: n,
      ops: [{ seq: n, at, collection: 'diary', id: row.id, row, isPartial: false }],
    })
  }
  for (const n of [1, 2, 3]) {
    put('u_ada', n, { mood: 'good', stars: n })
    put('u_bob', n, { mood: 'bad', ...(n === 3 ? {} : { stars: 10 - n }) })
  }
  /** Reads all pages, two records each. Returns each record by its person and number. */
  const readAllPages = (query: object) => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page = directoryPage(storage, 'diary', parseQuery(DIARY, { ...query, limit: 2, cursor }))
      seen.push(...page.found.map(({ partition, row }) => `${partition.slice(2)} ${row.id.slice(-1)}`))
      cursor = page.nextCursor
    } while (cursor !== null)
    return seen
  }
  return { walk: readAllPages }
}

describe('pages over the records of all people', () => {
  test('paging over the records of all people returns each record once, newest first, even with equal times and ids', () => {
    const { walk } = openDirectory()
    assert.deepEqual(walk({}), ['bob 3', 'ada 3', 'bob 2', 'ada 2', 'bob 1', 'ada 1'])
  })

  test('the records of all people can be sorted by an indexed field in both directions, unset values lowest', () => {
    const { walk } = openDirectory()
    const upwards = ['bob 3', 'ada 1', 'ada 2', 'ada 3', 'bob 2', 'bob 1']
    assert.deepEqual(walk({ sort: 'stars' }), upwards)
    assert.deepEqual(walk({ sort: '-stars' }), upwards.toReversed())
  })

  test('filtering the records of all people returns only matches, and a filter text is never run as SQL', () => {
    const { walk } = openDirectory()
    assert.deepEqual(walk({ where: { mood: 'good', stars: { gte: 2 } } }), ['ada 3', 'ada 2'])
    assert.deepEqual(walk({ where: { mood: "good' or 1=1 --" } }), [])
  })
})
