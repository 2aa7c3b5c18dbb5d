import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { pushOwnerHandlers } from './owners.ts'

test('a push device belongs to the person who registered it last, until that person removes it', () => {
  const owners = pushOwnerHandlers(memoryStorage(), (userId) => userId !== 'gone')
  assert.equal(owners.claim({ id: 'd1', userId: 'ada' }), null)
  assert.equal(owners.claim({ id: 'd1', userId: 'ada' }), 'ada')
  assert.equal(owners.claim({ id: 'd1', userId: 'bob' }), 'ada')
  assert.equal(owners.claim({ id: 'd1', userId: 'gone' }), false)
  assert.equal(owners.owner({ id: 'd1' }), 'bob')
  // Ada cannot release the device, because the device belongs to Bob by now.
  owners.release({ userId: 'ada', id: 'd1' })
  assert.equal(owners.owner({ id: 'd1' }), 'bob')
  owners.claim({ id: 'd2', userId: 'bob' })
  owners.release({ userId: 'bob', id: 'd1' })
  assert.deepEqual([owners.owner({ id: 'd1' }), owners.owner({ id: 'd2' })], [null, 'bob'])
  owners.release({ userId: 'bob' })
  assert.equal(owners.owner({ id: 'd2' }), null)
})
