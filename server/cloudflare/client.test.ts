import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import * as z from 'zod'
import { ApiError } from '../http/errors.ts'
import { toApiError } from '../http/envelope.ts'
import { uploadAssets } from './products/assets.ts'
import { openAccount } from './client.ts'
import type { CloudflareError } from './errors.ts'
import { recordSleeps } from '../testing/sleeps.ts'
import { closeProviders, errorResponse, hangUp, okResponse, startProvider } from './testing.ts'
import { addWorkerVersion } from './products/workers.ts'

const readCall = {
  method: 'GET',
  path: '/things',
  doing: 'read',
  result: z.looseObject({ id: z.string() }),
} as const
const makeCall = {
  method: 'POST',
  path: '/things',
  doing: 'make a thing',
  result: z.looseObject({ id: z.string() }),
  write: { action: 'thing.make', target: 'x' },
} as const

describe('the client of the cloud’s API', () => {
  after(closeProviders)

  test('a read from Cloudflare is retried after a server error and after a lost connection', async () => {
    const { cloud, seen, records } = await startProvider(
      errorResponse(500, 0, 'oops'),
      hangUp,
      okResponse({ id: 'a' }),
    )
    assert.equal((await cloud.call(readCall)).id, 'a')
    assert.equal(seen.length, 3)
    assert.deepEqual(records, [])
  })

  test('the maximum of the random wait before a retry of a Cloudflare call doubles, and a Retry-After replaces the wait', async (t) => {
    const waits = recordSleeps(t)
    t.mock.method(Math, 'random', () => 0.5)
    const down = errorResponse(500, 0, 'oops')
    const failing = await startProvider(down, down, down, okResponse({ id: 'a' }))
    await failing.cloud.call(readCall)
    assert.deepEqual(waits.splice(0), [250, 500, 1000])
    const limited = errorResponse(429, 971, 'slow down', { 'retry-after': '2' })
    const busy = await startProvider(limited, okResponse({ id: 'a' }))
    await busy.cloud.call(readCall)
    assert.equal(waits[0], 2000)
  })

  test('a request to Cloudflare that creates something is not sent again when its outcome is unknown', async () => {
    const { cloud, seen, records } = await startProvider(hangUp, okResponse({ id: 'a' }))
    await assert.rejects(cloud.call(makeCall), (error: CloudflareError) => !error.isClear && error.retryable)
    assert.equal(seen.length, 1)
    assert.deepEqual(records, ['thing.make x failed'])
  })

  test('a successful change at Cloudflare is not recorded as failed when writing its activity record throws', async () => {
    const { options, records } = await startProvider(okResponse({ id: 'a' }))
    const cloud = openAccount({
      ...options,
      record: async ({ action, target, status }) => {
        records.push(`${action} ${target} ${status}`)
        throw new Error('database away')
      },
    })
    await assert.rejects(cloud.call(makeCall), /database away/)
    assert.deepEqual(records, ['thing.make x ok'])
  })

  test('a request that Cloudflare refuses with a 429 is sent again, even when it creates a resource', async () => {
    const { cloud, seen, records } = await startProvider(
      errorResponse(429, 971, 'slow down', { 'retry-after': '0' }),
      okResponse({ id: 'a' }),
    )
    assert.equal((await cloud.call(makeCall)).id, 'a')
    assert.equal(seen.length, 2)
    assert.deepEqual(records, ['thing.make x ok'])
  })

  test('a Cloudflare call throws at once and names the wait when a 429 asks to wait for more than half a minute', async () => {
    const { cloud, seen } = await startProvider(
      errorResponse(429, 971, 'slow down', { 'retry-after': '120' }),
    )
    await assert.rejects(cloud.call(readCall), /try again in 120 s/)
    assert.equal(seen.length, 1)
  })

  test('after a 401 from Cloudflare the credential is renewed once and the call is repeated', async () => {
    const { cloud, dead } = await startProvider(
      errorResponse(401, 10000, 'Authentication error'),
      ({ token }, response) => okResponse({ id: token })({ method: '', url: '', body: '', token }, response),
    )
    assert.equal((await cloud.call(readCall)).id, 'new')
    assert.deepEqual(dead, [])
  })

  test('when Cloudflare refuses the renewed credential with a 401, the connection is marked as invalid and the error asks to reconnect', async () => {
    const { cloud, seen, dead } = await startProvider(errorResponse(401, 10000, 'Authentication error'))
    await assert.rejects(cloud.call(readCall), (error: CloudflareError) => error.fault === 'reconnect')
    assert.equal(seen.length, 2)
    assert.deepEqual(dead, ['dead'])
  })

  test('a missing permission, a reached Cloudflare limit and a refused request each have their own error', async () => {
    const scope = await startProvider(errorResponse(403, 10000, 'Missing workers-scripts.write'))
    await assert.rejects(
      scope.cloud.call(makeCall),
      (error: CloudflareError) => error.fault === 'missing_scope',
    )
    const full = await startProvider(errorResponse(403, 10037, 'You have exceeded the limit of 100 Workers'))
    await assert.rejects(full.cloud.call(makeCall), (error: CloudflareError) => error.fault === 'ceiling')
    const refused = await startProvider(errorResponse(400, 10021, 'No such module "./x"'))
    await assert.rejects(refused.cloud.call(makeCall), /refused to make a thing: No such module/)
    assert.equal(refused.seen.length, 1)
  })

  test('the error of each Cloudflare call refused with a 403 names the missing permission, and only the first refusal checks the token', async () => {
    const { cloud, seen, dead } = await startProvider(
      errorResponse(403, 10000, 'Authentication error'),
      okResponse([{ id: 'acc', name: 'Acme' }]),
      errorResponse(403, 10000, 'Authentication error'),
    )
    const bucket = { ...readCall, path: '/accounts/:account/r2/buckets' }
    for (const _ of [1, 2])
      await assert.rejects(
        cloud.call(bucket),
        /Authentication error\. Grant the permission Workers R2 Storage: Edit/,
      )
    assert.deepEqual(seen, ['GET /accounts/acc/r2/buckets', 'GET /accounts', 'GET /accounts/acc/r2/buckets'])
    assert.deepEqual(dead, [])
  })

  test('an OAuth connection that lost access to its Cloudflare account and a revoked API token are marked as invalid', async () => {
    const lost = await startProvider(
      errorResponse(403, 10000, 'Authentication error'),
      okResponse([{ id: 'another', name: 'B' }]),
    )
    await assert.rejects(lost.cloud.call(readCall), (error: CloudflareError) => error.fault === 'reconnect')
    assert.deepEqual(lost.dead, ['dead'])
    const refused = errorResponse(401, 1000, 'Invalid API Token')
    const revoked = await startProvider(errorResponse(403, 10000, 'Authentication error'), refused)
    const credential = { ...revoked.options.credential, method: 'token' as const }
    const token = openAccount({ ...revoked.options, credential })
    await assert.rejects(token.call(readCall), (error: CloudflareError) => error.fault === 'reconnect')
    assert.deepEqual(revoked.seen.slice(1), ['GET /user/tokens/verify', 'GET /accounts/acc/tokens/verify'])
  })

  test('a credential is not marked as invalid when Cloudflare does not respond to the check whether it is valid', async () => {
    const { cloud, dead } = await startProvider(errorResponse(403, 10000, 'Authentication error'), hangUp)
    await assert.rejects(cloud.call(readCall), (error: CloudflareError) => error.fault === 'missing_scope')
    assert.deepEqual(dead, [])
  })

  test('a long Retry-After in a Cloudflare response delays every call with the same credential and no other call', async () => {
    const { cloud, seen, options } = await startProvider(
      errorResponse(429, 971, 'slow down', { 'retry-after': '120' }),
      okResponse({ id: 'a' }),
    )
    await assert.rejects(cloud.call(readCall), /try again in 120 s/)
    const same = await openAccount(options)
      .call(makeCall)
      .catch((error: unknown) => toApiError(error))
    assert.ok(same instanceof ApiError && same.code === 'unavailable')
    assert.equal(seen.length, 1)
    const other = openAccount({ ...options, credential: { ...options.credential, id: randomUUID() } })
    assert.equal((await other.call(readCall)).id, 'a')
  })

  test('after five calls without a response a Cloudflare account is not called for about 15 seconds', async () => {
    const { cloud, seen } = await startProvider(hangUp)
    const callAsJob = () => cloud.call({ ...readCall, retry: 'job' })
    for (const _ of [1, 2, 3, 4, 5]) await assert.rejects(callAsJob(), /cannot be reached right now/)
    const refusal = await callAsJob().catch((error: unknown) => toApiError(error))
    assert.ok(refusal instanceof ApiError && refusal.code === 'unavailable')
    assert.match(refusal.message, /has not responded for a while; the next attempt is in 1[45] s/)
    assert.equal(seen.length, 5)
  })

  test('a call to Cloudflare returns null for a 404 if the call allows a missing object, and throws otherwise', async () => {
    const { cloud } = await startProvider(errorResponse(404, 10007, 'This Worker does not exist'))
    assert.equal(await cloud.call({ ...readCall, missing: 'null' }), null)
    await assert.rejects(cloud.call(readCall), /does not exist/)
  })

  test("a Cloudflare response of an unexpected shape is an error that contains none of the response's values", async () => {
    const { cloud } = await startProvider(okResponse({ id: 7, secret: 'canary' }))
    await assert.rejects(cloud.call(readCall), (error: CloudflareError) => {
      assert.match(error.message, /unexpected response/)
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /canary/)
      return true
    })
  })

  test('when the response to a worker version upload is lost, the version is found by its tag instead of being uploaded twice', async () => {
    const { cloud, seen } = await startProvider(
      hangUp,
      okResponse({ items: [{ id: 'other' }, { id: 'v1', annotations: { 'workers/tag': 'dep_1' } }] }),
    )
    const upload = {
      mainModule: 'index.js',
      modules: { 'index.js': '' },
      bindings: [],
      tags: [],
      compatibility: { date: '2026-07-01', flags: [] },
    }
    const annotations = { tag: 'dep_1', message: 'm' }
    assert.equal(await addWorkerVersion(cloud, 'app', { ...upload, annotations }), 'v1')
    assert.deepEqual(seen, [
      'POST /accounts/acc/workers/scripts/app/versions',
      'GET /accounts/acc/workers/scripts/app/versions',
    ])
  })

  test('only the static assets that Cloudflare does not have yet are uploaded, and each upload uses the token of the upload session', async () => {
    const files = { '/index.html': { bytes: Buffer.from('<p>hi'), contentType: 'text/html' } }
    const known = await startProvider(okResponse({ jwt: 'done', buckets: [] }))
    assert.equal(await uploadAssets(known.cloud, 'app', files), 'done')
    assert.equal(known.seen.length, 1)

    const bodies: string[] = []
    const fresh = await startProvider(
      (request, response) => {
        const { manifest } = JSON.parse(request.body) as {
          manifest: Record<string, { hash: string; size: number }>
        }
        assert.equal(manifest['/index.html']?.size, 5)
        okResponse({ jwt: 'session', buckets: [[manifest['/index.html']?.hash]] })(request, response)
      },
      (request, response) => {
        bodies.push(`${request.token} ${request.body}`)
        okResponse({ jwt: 'complete' }, 201)(request, response)
      },
    )
    assert.equal(await uploadAssets(fresh.cloud, 'app', files), 'complete')
    assert.match(bodies[0] ?? '', /^session [^]*Content-Type: text\/html[^]*PHA\+aGk=/)
  })
})
