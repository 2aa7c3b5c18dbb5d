import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../testing/cloud.ts'
import { createAccount, readAccount } from '../accounts/accounts.ts'
import { issueToken, revokeFamily } from '../accounts/tokens.ts'

const HOUR_MS = 3_600_000

describe('what a token can read about its accounts', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, path, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const issue = (more: Partial<Parameters<typeof issueToken>[1]> = {}) =>
    issueToken(cloud.store, {
      kind: 'access',
      accountId: cloud.accountId,
      scopes: [],
      at: cloud.now(),
      ...more,
    })
  const addAccount = (name: string) => createAccount(cloud.store, { name, plan: 'paid', at: 1 }).id
  const isoTime = (at: number) => new Date(at).toISOString()
  const subdomain = () => readAccount(cloud.store, cloud.accountId)?.subdomain

  test('an API token lists the accounts that it was granted for, and cannot read other accounts', async () => {
    const [second, foreign] = [addAccount('Second'), addAccount('Foreign')]
    const { secret } = issue({ otherAccounts: [second] })
    const account = (id: string, name: string) => ({
      id,
      name,
      type: 'standard',
      settings: { enforce_twofactor: false },
      created_on: isoTime(1),
    })
    const both = [account(cloud.accountId, 'Acme'), account(second, 'Second')]
    assert.deepEqual(await call('GET', '/accounts', undefined, secret), both)
    assert.deepEqual(
      await call('GET', '/memberships', undefined, secret),
      both.map((one) => ({ id: one.id, status: 'accepted', account: one, roles: ['Administrator'] })),
    )
    assert.deepEqual(await call('GET', `/accounts/${second}`, undefined, secret), both[1])
    for (const id of [foreign, '0'.repeat(32)])
      assert.deepEqual(await call('GET', `/accounts/${id}`, undefined, secret), [403, 10000])
    assert.deepEqual(await call('GET', `/accounts/${second}`), [403, 10000])
    cloud.store.run('DELETE FROM accounts WHERE id = ?', second)
    assert.deepEqual(await call('GET', '/accounts', undefined, secret), both.slice(0, 1))
  })

  test('verifying an access token succeeds until it expires or is revoked, and verifying a refresh token always fails', async () => {
    const { secret, id } = issue({ lifeMs: HOUR_MS })
    const verify = () => call('GET', '/user/tokens/verify', undefined, secret)
    const expiresAt = isoTime(cloud.now() + HOUR_MS)
    assert.deepEqual(await verify(), { id, status: 'active', expires_on: expiresAt })
    const ofAccount = await call('GET', '/A/tokens/verify', undefined, secret)
    assert.deepEqual(ofAccount, { id, status: 'active', expires_on: expiresAt })
    cloud.clock.advance(HOUR_MS - 1)
    assert.notDeepEqual(await verify(), [401, 1000])
    cloud.clock.advance(1)
    assert.deepEqual(await verify(), [401, 1000])
    const revoked = issue()
    revokeFamily(cloud.store, revoked.id, cloud.now())
    const refused = [revoked.secret, issue({ kind: 'refresh' }).secret, 'none', '']
    for (const token of refused)
      assert.deepEqual(await call('GET', '/user/tokens/verify', undefined, token), [401, 1000])
  })

  test('the subdomain of an account is changed only by a token with the scope workers-scripts.write', async () => {
    const withScopes = (...scopes: string[]) => issue({ scopes }).secret
    const put = (token: string) => call('PUT', '/A/workers/subdomain', { subdomain: 'taken-over' }, token)
    const refused = [403, 10000]
    for (const scope of ['kv.write', 'workers-scripts.read'])
      assert.deepEqual([await put(withScopes(scope)), subdomain()], [refused, 'acme'], scope)
    const writer = withScopes('workers-scripts.write')
    assert.deepEqual([await put(writer), subdomain()], [{ subdomain: 'taken-over' }, 'taken-over'])
  })

  test("an account cannot take a used, reserved or malformed subdomain, and a change clears the router's host name cache", async () => {
    addAccount('Second')
    const put = (name: string) => call('PUT', '/A/workers/subdomain', { subdomain: name })
    for (const name of ['second', 'x-demo', 'x-new', 'Acme', 'a.b', '', '-a', 'a'.repeat(64)])
      assert.deepEqual(await put(name), [409, 10031], name)
    cloud.apps.hosts.set('shop.acme.localhost', null)
    assert.deepEqual([await put('acme'), cloud.apps.hosts.size], [{ subdomain: 'acme' }, 1])
    assert.deepEqual([await put('a'.repeat(63)), cloud.apps.hosts.size], [{ subdomain: 'a'.repeat(63) }, 0])
    cloud.store.run('UPDATE accounts SET subdomain = NULL WHERE id = ?', cloud.accountId)
    assert.deepEqual(await call('GET', '/A/workers/subdomain'), [404, 10063])
  })
})
