import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dependentTitles, requiredTitles, metadataOf, capabilityState } from './capability-metadata.ts'

describe('a capability', () => {
  test('switching on a capability lists the dependencies that are still off', () => {
    assert.deepEqual(requiredTitles('data', new Set()), [])
    assert.deepEqual(requiredTitles('pay', new Set()), ['Accounts and sign-in'])
    assert.deepEqual(requiredTitles('call', new Set()), ['Live rooms', 'Accounts and sign-in'])
    assert.deepEqual(requiredTitles('call', new Set(['auth'])), ['Live rooms'])
  })

  test('switching off a capability lists the enabled capabilities that depend on it', () => {
    assert.deepEqual(dependentTitles('data', new Set(['data'])), [])
    assert.deepEqual(dependentTitles('data', new Set(['data', 'hook', 'files'])), ['Incoming webhooks'])
    assert.deepEqual(dependentTitles('auth', new Set(['auth', 'live', 'call'])), ['Live rooms', 'Calls'])
  })

  test('a capability that could not be set up is shown as “Needs attention” instead of “On”', () => {
    const word = (enabled: boolean, state: 'creating' | 'idle' | 'error') =>
      capabilityState({ enabled, provision: { state } }).word
    assert.equal(word(false, 'idle'), 'Off')
    assert.equal(word(true, 'creating'), 'Setting up')
    assert.equal(word(true, 'idle'), 'On')
    assert.equal(word(true, 'error'), 'Needs attention')
  })

  test('an unknown capability has no metadata, even one named like an inherited property, such as toString', () => {
    for (const key of ['', 'toString', '__proto__', 'nothing']) assert.equal(metadataOf(key), undefined)
  })
})
