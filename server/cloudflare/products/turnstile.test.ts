import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cloud } from '../client.ts'
import { readWidgetSecret } from './turnstile.ts'

const WIDGET = { sitekey: '0x1', name: 'plants-guard', domains: [], mode: 'managed' }

/**
 * A fake account in which reading the widget returns the secret `read`, or no secret for null, and rotating the secret
 * returns a new one.
 */
function accountShowing(read: string | null) {
  const calls: string[] = []
  const fakeCall = (given: { method: string; path: string }) => {
    calls.push(`${given.method} ${given.path}`)
    return Promise.resolve({ ...WIDGET, secret: given.method === 'GET' ? read : 'the new one' })
  }
  return { cloud: { call: fakeCall } as unknown as Cloud, calls }
}

test('the secret of a Turnstile widget is read when the provider returns it', async () => {
  const { cloud, calls } = accountShowing('the secret')
  assert.equal(await readWidgetSecret(cloud, WIDGET), 'the secret')
  assert.deepEqual(calls, ['GET /accounts/:account/challenges/widgets/0x1'])
})

test('when the provider does not return the secret of a Turnstile widget, the secret is rotated and the new one is used', async () => {
  for (const hidden of [null, '']) {
    const { cloud, calls } = accountShowing(hidden)
    assert.equal(await readWidgetSecret(cloud, WIDGET), 'the new one')
    assert.equal(calls[1], 'POST /accounts/:account/challenges/widgets/0x1/rotate_secret')
  }
})
