import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { Store } from '../../world/store.ts'
import { listAccounts } from '../accounts.ts'
import { findToken, isLive } from '../tokens.ts'
import { oauthRoutes } from './routes.ts'

const store = new Store(':memory:')
after(() => store.close())
let now = 1_000_000
const app = oauthRoutes({ store, now: () => now, baseUrl: 'https://slipway.example' })

const VERIFIER = 'v'.repeat(50)
const base = {
  response_type: 'code',
  client_id: 'slipway-local',
  redirect_uri: 'http://localhost:4300/back',
  scope: 'workers-scripts.write account-settings.read',
  state: 'the state',
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
  prompt: 'none',
  login_hint: 'org_1',
  account_name: 'Acme Inc.',
}

async function authorize(change: Partial<typeof base> = {}): Promise<URL | number> {
  const response = await app.request(`/auth?${new URLSearchParams({ ...base, ...change }).toString()}`)
  const location = response.headers.get('location')
  return location === null ? response.status : new URL(location)
}

async function code(): Promise<string> {
  const location = await authorize()
  assert.ok(location instanceof URL)
  return location.searchParams.get('code') ?? ''
}

async function token(fields: Record<string, string>) {
  const body = new URLSearchParams({ client_id: 'slipway-local', ...fields })
  const response = await app.request('/token', { method: 'POST', body })
  return {
    status: response.status,
    ...((await response.json()) as { access_token: string; refresh_token: string; error?: string }),
  }
}

const redeem = (value: string, verifier = VERIFIER) =>
  token({
    grant_type: 'authorization_code',
    code: value,
    redirect_uri: base.redirect_uri,
    code_verifier: verifier,
  })
const renew = (value: string) => token({ grant_type: 'refresh_token', refresh_token: value })
const isAlive = (secret: string) => {
  const found = findToken(store, secret)
  return found !== null && isLive(found, now)
}

test('a silent authorization makes one account per organization, however often it is asked', async () => {
  const first = await authorize()
  assert.ok(first instanceof URL)
  assert.equal(first.searchParams.get('state'), 'the state')
  await authorize()
  await authorize({ login_hint: 'org_2' })
  assert.deepEqual(
    listAccounts(store).map((account) => account.subdomain),
    ['acme-inc', 'acme-inc-2'],
  )
})

test('a code gives tokens once; its second use ends them', async () => {
  const value = await code()
  const tokens = await redeem(value)
  assert.equal(tokens.status, 200)
  assert.ok(isAlive(tokens.access_token))
  assert.deepEqual([(await redeem(value)).error, isAlive(tokens.access_token)], ['invalid_grant', false])
})

test('a wrong verifier, a late code and a foreign client get nothing', async () => {
  assert.equal((await redeem(await code(), 'w'.repeat(50))).error, 'invalid_grant')
  const late = await code()
  now += 11 * 60_000
  assert.equal((await redeem(late)).error, 'invalid_grant')
  assert.equal((await token({ client_id: 'stranger', grant_type: 'refresh_token' })).error, 'invalid_client')
})

test('a refresh token rotates, and one used twice ends the whole grant', async () => {
  const first = await redeem(await code())
  const second = await renew(first.refresh_token)
  assert.equal(second.status, 200)
  assert.ok(isAlive(second.access_token))
  assert.equal((await renew(first.refresh_token)).error, 'invalid_grant')
  assert.equal(isAlive(second.access_token), false)
  assert.equal((await renew(second.refresh_token)).error, 'invalid_grant')
})

test('a revoked token is dead with its family, and an access token lives an hour', async () => {
  const tokens = await redeem(await code())
  await app.request('/revoke', { method: 'POST', body: new URLSearchParams({ token: tokens.refresh_token }) })
  assert.equal(isAlive(tokens.access_token), false)
  const others = await redeem(await code())
  now += 61 * 60_000
  assert.equal(isAlive(others.access_token), false)
})

test('nothing is sent to an address that is not allowed, and PKCE is not optional', async () => {
  assert.equal(await authorize({ redirect_uri: 'https://evil.example/' }), 400)
  assert.equal(await authorize({ redirect_uri: 'https://localhost.evil.example/' }), 400)
  assert.equal(await authorize({ client_id: 'other' }), 400)
  assert.ok((await authorize({ redirect_uri: 'https://slipway.example/back' })) instanceof URL)
  for (const change of [{ code_challenge_method: 'plain' }, { prompt: '' }, { scope: 'workers:write' }]) {
    const location = await authorize(change)
    assert.ok(location instanceof URL && location.searchParams.has('error'), JSON.stringify(change))
  }
})
