import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Manifest } from '../../kernel/manifest.ts'
import { memoryStorage } from '../../kernel/objects/sqlite.test.fixture.ts'
import { type AddResult, addRecords } from './add.ts'
import { PartitionStore } from './store.ts'

const MANIFEST: Manifest = {
  name: 'App',
  migrations: [],
  collections: {
    plants: {
      title: 'Plants',
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { name: { type: 'text', required: true, unique: true }, size: { type: 'integer' } },
    },
  },
}

function openStore() {
  const store = new PartitionStore(memoryStorage())
  store.prepare('hash', MANIFEST, '2026-11-20T00:00:00.000Z')
  const add = (records: { id: string; fields: Record<string, unknown> }[], isTrial = false) =>
    addRecords(
      store,
      { manifest: MANIFEST, actor: 'system', partition: 'app', now: new Date('2026-11-20T00:00:00Z') },
      { collection: 'plants', records, isTrial },
    )
  return { store, add }
}
const plantOf = (n: number, fields: Record<string, unknown> = { name: `Plant ${n}` }) => ({
  id: `record-${n}`,
  fields,
})
const outcomesOf = (added: AddResult[]) =>
  added.map((one) => ('error' in one ? one.error.message : one.record['name']))

describe('records that the operator adds', () => {
  test('each record that the operator adds is created on its own, so that an invalid record does not stop the others', () => {
    const { store, add } = openStore()
    const { added, log } = add([
      plantOf(1),
      plantOf(2, { name: 'x', size: 'big' }),
      plantOf(3, {}),
      plantOf(4),
    ])
    assert.deepEqual(outcomesOf(added), ['Plant 1', 'size: must be a number', 'name: is required', 'Plant 4'])
    assert.deepEqual([store.count(), log.length], [2, 2])
  })

  test('when the operator repeats a request to add records, only the new records are created and logged', () => {
    const { store, add } = openStore()
    add([plantOf(1)])
    const again = add([plantOf(1), plantOf(2)])
    assert.deepEqual(outcomesOf(again.added), ['Plant 1', 'Plant 2'])
    assert.deepEqual([store.count(), again.log.length], [2, 1])
  })

  test('the operator cannot add a different record under an existing id, and the existing record is not changed', () => {
    const { store, add } = openStore()
    add([plantOf(1)])
    const [other] = add([plantOf(1, { name: 'Another' })]).added
    assert.ok(other && 'error' in other && other.error.code === 'conflict')
    assert.match(store.read('plants', 'record-1')?.json ?? '', /Plant 1/)
  })

  test('a dry run of adding records as the operator reports which records would be rejected, and stores nothing', () => {
    const { store, add } = openStore()
    const before = store.head()
    const records = [plantOf(1), plantOf(2, { name: 'Plant 1' }), plantOf(3, { colour: 'red', name: 'x' })]
    const trial = add(records, true)
    assert.deepEqual(outcomesOf(trial.added), [
      'Plant 1',
      'name: is already taken',
      'colour: is not a field of plants',
    ])
    assert.deepEqual([store.count(), store.head(), trial.log], [0, before, []])
    // A dry run reserves nothing: the same ids can be stored afterwards.
    assert.deepEqual(outcomesOf(add([plantOf(1)]).added), ['Plant 1'])
    assert.equal(store.head(), before + 1)
  })
})
