import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAccess } from './record-access.ts'

test("the access to an app's records is the widest access that any of its collections allows", () => {
  const app = (...rules: [string, string][]) =>
    JSON.stringify({ collections: Object.fromEntries(rules.map(([read, write], n) => [n, { read, write }])) })
  assert.equal(recordAccess(app(['public', 'nobody'], ['nobody', 'public'])), 'add')
  assert.equal(recordAccess(app(['public', 'staff'])), 'read')
  assert.equal(recordAccess(app(['owner', 'owner'], ['nobody', 'nobody'])), 'people')
  assert.equal(recordAccess(app(['nobody', 'nobody'])), 'none')
  for (const none of [app(), '{}', 'not json', '', null, undefined, '[]', 'null'])
    assert.equal(recordAccess(none), null, String(none))
})

test('records of a collection without a read rule can be read only by users with an account', () => {
  const app = (collection: object) => JSON.stringify({ collections: { a: collection } })
  for (const partition of ['user', 'team', 'app']) assert.equal(recordAccess(app({ partition })), 'people')
  assert.equal(recordAccess(app({ partition: 'app', write: 'public' })), 'add')
})
