import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { alsoOff, alsoOn, infoOf, stateOf } from './capability-info.ts'

describe('a capability', () => {
  test('has a sentence in plain words, each of them', () => {
    assert.deepEqual(Object.keys(capabilitiesText.about).sort(), Object.keys(CAPABILITIES).sort())
  })

  test('names what is switched on with it, and not what is on already', () => {
    assert.deepEqual(alsoOn('data', new Set()), [])
    assert.deepEqual(alsoOn('pay', new Set()), ['Accounts and sign-in'])
    assert.deepEqual(alsoOn('call', new Set()), ['Live rooms', 'Accounts and sign-in'])
    assert.deepEqual(alsoOn('call', new Set(['auth'])), ['Live rooms'])
  })

  test('names what is switched off with it, however far up, and not what is off already', () => {
    assert.deepEqual(alsoOff('data', new Set(['data'])), [])
    assert.deepEqual(alsoOff('data', new Set(['data', 'hook', 'files'])), ['Incoming webhooks'])
    assert.deepEqual(alsoOff('auth', new Set(['auth', 'live', 'call'])), ['Live rooms', 'Calls'])
  })

  test('says how it stands; a failure counts more than being on', () => {
    const word = (enabled: boolean, state: 'creating' | 'idle' | 'error') =>
      stateOf({ key: 'data', enabled, provision: { state } }).word
    assert.equal(word(false, 'idle'), 'Off')
    assert.equal(word(true, 'creating'), 'Setting up')
    assert.equal(word(true, 'idle'), 'On')
    assert.equal(word(true, 'error'), 'Needs attention')
  })

  test('is none when its name is one of the language', () => {
    for (const key of ['', 'toString', '__proto__', 'nothing']) assert.equal(infoOf(key), undefined)
  })
})
