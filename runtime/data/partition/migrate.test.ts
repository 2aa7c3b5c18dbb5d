import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CollectionSpec, Manifest, MigrationSpec } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { migratePartition } from './migrate.ts'
import { applyOps } from './mutate.ts'
import { PartitionStore } from './store.ts'

const NOW = new Date('2026-11-20T00:00:00Z')
const NOTES: CollectionSpec = {
  title: 'Notes',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: { text: { type: 'text' } },
}
const RENAME: MigrationSpec = { id: 'one', collection: 'notes', steps: [{ op: 'rename', to: 'papers' }] }
const BEFORE: Manifest = { name: 'App', migrations: [], collections: { notes: NOTES } }
const AFTER: Manifest = { name: 'App', migrations: [RENAME], collections: { papers: NOTES } }

test('a migration reads at most a hundred records at once, and changes and copies all of them', (t) => {
  const store = new PartitionStore(memoryStorage())
  store.prepare('before', BEFORE, NOW.toISOString())
  for (const batch of [1, 2, 3]) {
    const ops = Array.from({ length: 75 }, (_, n) => ({
      op: 'create' as const,
      collection: 'notes',
      id: `record-${batch}-${n}`,
      fields: { text: 'old' },
    }))
    applyOps(store, { manifest: BEFORE, actor: 'system', partition: 'app', now: NOW }, ops)
  }
  const read: number[] = []
  const run = store.run.bind(store)
  t.mock.method(store, 'run', (sql: string, ...values: unknown[]) => {
    const rows = run(sql, ...values)
    read.push(rows.length)
    return rows
  })
  const steps = [
    { op: 'rename' as const, field: 'text', to: 'words' },
    { op: 'rename' as const, to: 'papers' },
  ]
  migratePartition(store, { ...AFTER, migrations: [{ ...RENAME, steps }] }, NOW)
  assert.ok(Math.max(...read) <= 100, String(Math.max(...read)))
  const words = store.run<{ json: string }>('select json from "c_papers"').map(({ json }) => json)
  assert.deepEqual(words, Array(225).fill('{"text":"old","words":"old"}'))
})

describe('a renamed collection', () => {
  const openRenamed = () => {
    const store = new PartitionStore(memoryStorage())
    store.prepare('before', BEFORE, NOW.toISOString())
    const ops = ['aaaaaaaa', 'bbbbbbbb'].map((id) => ({
      op: 'create' as const,
      collection: 'notes',
      id,
      fields: { text: id },
    }))
    applyOps(store, { manifest: BEFORE, actor: 'system', partition: 'app', now: NOW }, ops)
    migratePartition(store, AFTER, NOW)
    store.prepare('after', AFTER, NOW.toISOString())
    return store
  }

  test('after a migration has renamed a collection, its records can be read under the old and the new name', () => {
    const store = openRenamed()
    for (const name of ['notes', 'papers']) assert.equal(store.read(name, 'aaaaaaaa')?.id, 'aaaaaaaa', name)
  })

  test('a migration that renames a collection logs each record once for the app-wide index, even when the migration runs again', () => {
    const store = openRenamed()
    const unsentPapers = () => store.unsent(99).filter(({ collection }) => collection === 'papers')
    assert.deepEqual(
      unsentPapers().map(({ id, row }) => [id, row?.json]),
      [
        ['aaaaaaaa', '{"text":"aaaaaaaa"}'],
        ['bbbbbbbb', '{"text":"bbbbbbbb"}'],
      ],
    )
    migratePartition(store, AFTER, NOW)
    assert.equal(unsentPapers().length, 2)
  })
})
