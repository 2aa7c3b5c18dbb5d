import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { bodyResponse, closeProviders, cutShort, hangUp, startProvider } from '../../cloudflare/testing.ts'
import { recordSleeps } from '../../testing/sleeps.ts'
import { placeUpload, stampObject } from './worker.ts'

const STORED = { sizeBytes: 8, contentType: 'application/pdf', storedAt: '2026-11-20T10:00:00.001Z' }
const DONE = bodyResponse({ ok: true, data: STORED })
const clock = { now: () => new Date('2026-11-20T10:00:00Z') }

/** Sends both changes of an object to a worker that responds like this in turn. Returns the outcome and the number of requests of each. */
async function change(...answers: Parameters<typeof startProvider>) {
  const outcomes: { outcome: unknown; requests: number }[] = []
  for (const send of [
    (place: Parameters<typeof placeUpload>[1]) =>
      placeUpload(clock, place, { from: '_upload/1', key: 'a.pdf', access: '{}' }),
    (place: Parameters<typeof stampObject>[1]) => stampObject(clock, place, { key: 'a.pdf', access: '{}' }),
  ]) {
    const { options, seen } = await startProvider(...answers)
    const key = { publicKey: '', grant: () => 'token' }
    const outcome = await send({ accountId: 'acc', name: 'plants-assets', url: options.api, key }).catch(
      (error: unknown) => error,
    )
    outcomes.push({ outcome, requests: seen.length })
  }
  return outcomes
}
const twice = (outcome: unknown, requests: number) => [
  { outcome, requests },
  { outcome, requests },
]

describe('changing assets through the upload worker', () => {
  after(closeProviders)

  test('changing an asset in its bucket returns the size, type and time stored, or that the object is missing or was changed', async () => {
    assert.deepEqual(await change(DONE), twice(STORED, 1))
    assert.deepEqual(await change(bodyResponse({}, 404)), twice('missing', 1))
    assert.deepEqual(await change(bodyResponse({}, 409)), twice('changed', 1))
  })

  test('a change to an asset in its bucket is sent again when the response breaks off, fails or is lost', async (t) => {
    recordSleeps(t)
    for (const lost of [cutShort(), hangUp, bodyResponse('', 503), bodyResponse('', 429)])
      assert.deepEqual(await change(lost, lost, DONE), twice(STORED, 3))
  })

  test('a change to an asset in its bucket fails with a retryable account error when every response breaks off', async (t) => {
    recordSleeps(t)
    for (const { outcome, requests } of await change(cutShort())) {
      assert.ok(outcome instanceof CloudflareError)
      assert.deepEqual([outcome.retryable, requests], [true, 3])
    }
  })

  test('a change to an asset in its bucket fails without a retry when it is refused or the response is malformed', async () => {
    for (const answer of [
      bodyResponse({ ok: false }, 401),
      bodyResponse({ ok: false }, 400),
      bodyResponse('<h1>There is nothing here yet</h1>'),
      bodyResponse({ ok: true, data: { ...STORED, sizeBytes: -1 } }),
      bodyResponse({ ok: true, data: { ...STORED, contentType: 'text/html\r\nx: y' } }),
      bodyResponse({ ok: true, data: { ...STORED, storedAt: 'yesterday' } }),
    ])
      for (const { outcome, requests } of await change(answer)) {
        assert.ok(outcome instanceof CloudflareError)
        assert.deepEqual([outcome.retryable, requests], [false, 1])
      }
  })
})
