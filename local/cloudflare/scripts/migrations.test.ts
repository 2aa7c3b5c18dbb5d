import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiFailure } from '../rest/failure.ts'
import { applyChange, Exports, Migrations, planExports, planMigrations } from './migrations.ts'
import type { Namespace } from '../types.ts'

const room: Namespace = { id: 'n1', scriptId: 's', className: 'Room', storage: 'sqlite', createdAt: 1 }
const namesOf = (namespaces: Namespace[]) =>
  namespaces.map((namespace) => `${namespace.id}:${namespace.className}`)

function migrateFrom(
  migrations: object,
  current = { namespaces: [] as Namespace[], tag: null as string | null },
) {
  const change = planMigrations(Migrations.parse(migrations), current)
  return { change, after: applyChange(current.namespaces, change, 's', 2) }
}

test('the steps of a Durable Object migration create, rename and delete classes in order', () => {
  const steps = [
    { new_sqlite_classes: ['A', 'B'] },
    { renamed_classes: [{ from: 'A', to: 'C' }] },
    { deleted_classes: ['B'] },
  ]
  const { change, after } = migrateFrom({ new_tag: 'v3', steps })
  assert.equal(change.tag, 'v3')
  assert.deepEqual(
    after.map((namespace) => namespace.className),
    ['C'],
  )
})

test('a renamed Durable Object class keeps its namespace and thus its data', () => {
  const current = { namespaces: [room], tag: 'v1' }
  const input = { old_tag: 'v1', new_tag: 'v2', renamed_classes: [{ from: 'Room', to: 'Hall' }] }
  assert.deepEqual(namesOf(migrateFrom(input, current).after), ['n1:Hall'])
})

test('a migration with a wrong old tag, a duplicate class or a missing class is refused', () => {
  const current = { namespaces: [room], tag: 'v1' }
  const assertRefused = (input: object) => assert.throws(() => migrateFrom(input, current), ApiFailure)
  assertRefused({ new_tag: 'v2', new_sqlite_classes: ['X'] })
  assertRefused({ old_tag: 'v1', new_tag: 'v2', new_sqlite_classes: ['Room'] })
  assertRefused({ old_tag: 'v1', new_tag: 'v2', deleted_classes: ['Nobody'] })
  assertRefused({ old_tag: 'v1', new_tag: 'v2', renamed_classes: [{ from: 'Nobody', to: 'X' }] })
})

test('two Durable Object classes can swap names by way of a third name, and each keeps its namespace', () => {
  const hall: Namespace = { ...room, id: 'n2', className: 'Hall' }
  const swap = [
    ['Room', 'Third'],
    ['Hall', 'Room'],
    ['Third', 'Hall'],
  ].map(([from, to]) => ({ renamed_classes: [{ from, to }] }))
  const input = { old_tag: 'v1', new_tag: 'v2', steps: swap }
  assert.deepEqual(namesOf(migrateFrom(input, { namespaces: [room, hall], tag: 'v1' }).after), [
    'n1:Hall',
    'n2:Room',
  ])
})

test('exports that rename a Durable Object class to a name that another class has are refused', () => {
  const hall: Namespace = { ...room, id: 'n2', className: 'Hall' }
  const renamed = (to: string) => ({ type: 'durable-object', state: 'renamed', renamed_to: to })
  const plan = (exports: object, namespaces: Namespace[]) =>
    namesOf(applyChange(namespaces, planExports(Exports.parse(exports), { namespaces, tag: null }), 's', 2))
  const refusal = (error: unknown) =>
    error instanceof ApiFailure && error.code === 10074 && /Hall/.test(error.message)
  assert.throws(() => plan({ Room: renamed('Hall') }, [room, hall]), refusal)
  assert.throws(
    () => plan({ Room: renamed('Hall'), Den: renamed('Hall') }, [room, { ...hall, className: 'Den' }]),
    refusal,
  )
  assert.deepEqual(plan({ Room: renamed('Hall'), Hall: { type: 'durable-object' } }, [room]), ['n1:Hall'])
  assert.deepEqual(
    plan({ Room: renamed('Hall'), Hall: { type: 'durable-object', state: 'deleted' } }, [room, hall]),
    ['n1:Hall'],
  )
  assert.deepEqual(plan({ Room: renamed('Hall'), Hall: renamed('Room') }, [room, hall]), [
    'n1:Hall',
    'n2:Room',
  ])
})

test('Durable Object classes that an upload declares as exports are created if new and otherwise unchanged', () => {
  const current = { namespaces: [room], tag: null }
  const exports = Exports.parse({
    Room: { type: 'durable-object', storage: 'sqlite' },
    Hall: { type: 'durable-object', storage: 'sqlite' },
    Entry: { type: 'worker' },
  })
  const after = applyChange(current.namespaces, planExports(exports, current), 's', 2)
  assert.deepEqual(namesOf(after), ['n1:Room', 'new-0:Hall'])
  assert.deepEqual(planExports(exports, { namespaces: after, tag: null }).created, [])
})
