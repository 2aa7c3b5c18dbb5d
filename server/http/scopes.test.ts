import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KEY_SCOPES, knownScopes } from './scopes.ts'

test('stored scopes keep their order, and a scope that this version does not know grants nothing', () => {
  assert.deepEqual(knownScopes(KEY_SCOPES.toReversed()), KEY_SCOPES.toReversed())
  assert.deepEqual(knownScopes(['deploy:write', 'billing:write', 'constructor', '']), ['deploy:write'])
})
