import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeReturn as describeAny } from './connection-return.ts'
import { type ConnectionReturn, readConnectionReturn } from './connection-search.ts'

const describeReturn = (returned: ConnectionReturn, isConnected = true) =>
  describeAny(returned, () => isConnected)

describe('the result of a sign-in at a provider', () => {
  test('the note after connecting a provider names the provider, and asks to choose an account when there are several', () => {
    assert.deepEqual(describeReturn({ connected: 'github' }), {
      tone: 'good',
      title: 'GitHub is connected.',
      sentence: null,
    })
    assert.match(describeReturn({ connected: 'cloudflare', choose: 'account' })?.sentence ?? '', /choose/)
  })

  test('every known error of connecting a provider has its own sentence, and the text of an unknown error is not shown', () => {
    const sentences = ['state', 'expired', 'denied', 'code', 'unreachable', 'no_account', 'account_locked']
      .concat(['signed_out', 'not_allowed', 'failed'])
      .map((error) => describeReturn({ provider: 'cloudflare', error })?.sentence)
    assert.equal(new Set(sentences).size, 10)
    const unknown = describeReturn({ provider: 'github', error: '<b>pay here</b>' })
    assert.deepEqual([unknown?.tone, unknown?.title], ['bad', 'GitHub was not connected'])
    assert.doesNotMatch(unknown?.sentence ?? '', /pay/)
  })

  test('an error of connecting a provider with the code `constructor`, a property of every object, counts as unknown', () => {
    assert.equal(
      describeReturn({ error: 'constructor' })?.sentence,
      describeReturn({ error: 'failed' })?.sentence,
    )
  })

  test('a URL without the result of connecting a provider shows no note, and unknown URL parameters are dropped', () => {
    assert.equal(describeReturn({}), null)
    assert.equal(describeReturn({ connected: 'evil' }), null)
    assert.equal(describeReturn({ connected: 'cloudflare' }, false), null)
    assert.deepEqual(readConnectionReturn({ connected: 'github', x: '1', error: 7, choose: '' }), {
      connected: 'github',
    })
  })
})
