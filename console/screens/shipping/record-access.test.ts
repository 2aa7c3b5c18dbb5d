import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordAccess } from './record-access.ts'

test('who has the address may change records when one collection lets everybody write, else read or nothing', () => {
  const app = (...rules: [string, string][]) =>
    JSON.stringify({ collections: Object.fromEntries(rules.map(([read, write], n) => [n, { read, write }])) })
  assert.equal(recordAccess(app(['public', 'nobody'], ['nobody', 'public'])), 'change')
  assert.equal(recordAccess(app(['public', 'staff'])), 'read')
  assert.equal(recordAccess(app(['nobody', 'nobody'])), 'none')
  for (const none of [app(), '{}', 'not json', '', null, undefined, '[]', 'null'])
    assert.equal(recordAccess(none), null, String(none))
})
