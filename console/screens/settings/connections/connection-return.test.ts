import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { describeReturn } from './connection-return.ts'
import { readConnectionReturn } from './connection-search.ts'

describe('what a sign-in comes back with', () => {
  test('success is told with the provider, and the account that is left to choose', () => {
    assert.deepEqual(describeReturn({ connected: 'github' }), {
      tone: 'good',
      title: 'GitHub is connected.',
      sentence: null,
    })
    assert.match(describeReturn({ connected: 'cloudflare', choose: 'account' })?.sentence ?? '', /choose/)
  })

  test('every refusal has its own sentence; one nobody knows is a failure all the same', () => {
    const sentences = ['state', 'expired', 'denied', 'code', 'unreachable', 'no_account', 'account_locked']
      .concat(['signed_out', 'not_allowed', 'failed'])
      .map((error) => describeReturn({ provider: 'cloudflare', error })?.sentence)
    assert.equal(new Set(sentences).size, 10)
    const unknown = describeReturn({ provider: 'github', error: '<b>pay here</b>' })
    assert.deepEqual([unknown?.tone, unknown?.title], ['bad', 'GitHub was not connected'])
    assert.doesNotMatch(unknown?.sentence ?? '', /pay/)
  })

  test('a name of the language itself is no sentence', () => {
    assert.equal(
      describeReturn({ error: 'constructor' })?.sentence,
      describeReturn({ error: 'failed' })?.sentence,
    )
  })

  test('an address without an answer says nothing, and strangers in it are dropped', () => {
    assert.equal(describeReturn({}), null)
    assert.equal(describeReturn({ connected: 'evil' }), null)
    assert.deepEqual(readConnectionReturn({ connected: 'github', x: '1', error: 7, choose: '' }), {
      connected: 'github',
    })
  })
})
