import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { ApiError } from '../../kernel/errors.ts'
import { authorize, type AdminClaim } from './claim.ts'

const NOW = 1_800_000_000_000
const URL_OF = 'https://plants-admin.acme.workers.dev'
const BODY = '{"name":"Fern"}'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
/** The value of the admin worker's variable `OPERATOR_KEY`. */
const OPERATOR_KEY = String(publicKey.export({ format: 'jwk' }).x)

const CLAIM: AdminClaim = {
  aud: 'plants-admin',
  tier: 'production',
  method: 'PUT',
  path: '/data/records/plants/app/12345678?x=1',
  bodySha256: createHash('sha256').update(BODY).digest('hex'),
  exp: NOW / 1000 + 45,
  jti: 'one',
}

function tokenOf(change: Partial<AdminClaim>, key = privateKey): string {
  const payload = Buffer.from(JSON.stringify({ ...CLAIM, ...change })).toString('base64url')
  return `${payload}.${sign(null, Buffer.from(payload), key).toString('base64url')}`
}

const requestWith = (
  token: string | null,
  init: { method?: string; path?: string; body?: string | null; operatorKey?: string } = {},
) => {
  const { method = 'PUT', path = CLAIM.path, body = BODY, operatorKey = OPERATOR_KEY } = init
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` })
  return authorize(
    new Request(`${URL_OF}${path}`, { method, headers, body }),
    { publicKey: operatorKey, audience: CLAIM.aud },
    NOW,
  )
}

const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized'

describe('requests to the admin worker', () => {
  test('the admin worker accepts a request with a token for exactly that request, and can still read the body', async () => {
    const { claim, request } = await requestWith(tokenOf({}))
    assert.deepEqual([claim.tier, claim.jti, await request.text()], ['production', 'one', BODY])
  })

  test('a request to the admin worker without a valid token is rejected', async () => {
    for (const token of [null, '', 'a.b', `${tokenOf({})}x`])
      await assert.rejects(requestWith(token), isRefused)
  })

  test("a request to the admin worker that was signed with another project's key is rejected", async () => {
    const other = generateKeyPairSync('ed25519').privateKey
    await assert.rejects(requestWith(tokenOf({}, other)), isRefused)
  })

  test('an admin worker that was deployed with the key of another project, or without a key, rejects every request', async () => {
    const other = String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x)
    await assert.rejects(requestWith(tokenOf({}), { operatorKey: other }), isRefused)
    await assert.rejects(requestWith(tokenOf({}), { operatorKey: '' }))
  })

  test('an admin worker token for another worker, method, URL, query or body is rejected', async () => {
    await assert.rejects(requestWith(tokenOf({ aud: 'other-admin' })), isRefused)
    await assert.rejects(requestWith(tokenOf({}), { method: 'POST' }), isRefused)
    await assert.rejects(
      requestWith(tokenOf({}), { path: '/data/records/plants/app/87654321?x=1' }),
      isRefused,
    )
    await assert.rejects(requestWith(tokenOf({}), { path: CLAIM.path.replace('x=1', 'x=2') }), isRefused)
    await assert.rejects(requestWith(tokenOf({}), { body: `${BODY} ` }), isRefused)
    await assert.rejects(requestWith(tokenOf({}), { body: null }), isRefused)
  })

  test('an admin worker token that has expired, or has too long a lifetime, is rejected', async () => {
    await assert.rejects(requestWith(tokenOf({ exp: NOW / 1000 })), isRefused)
    await assert.rejects(requestWith(tokenOf({ exp: NOW / 1000 + 3600 })), isRefused)
  })

  test('a request to the admin worker above 1 MiB is rejected before it is processed', async () => {
    const body = 'x'.repeat(1024 * 1024 + 1)
    const bodySha256 = createHash('sha256').update(body).digest('hex')
    await assert.rejects(requestWith(tokenOf({ bodySha256 }), { body }), { code: 'invalid_request' })
  })
})
