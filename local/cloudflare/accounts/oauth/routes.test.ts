import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openStore } from '../../../schema.ts'
import { listAccounts } from '../accounts.ts'
import { findToken, isTokenValid } from '../tokens.ts'
import { press, readForm } from '../../../testing/forms.ts'
import { oauthRoutes } from './routes.ts'

describe('signing in to the local cloud', () => {
  const store = openStore(':memory:')
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

  async function requestConsent(
    change: Partial<typeof base> & Record<string, string> = {},
  ): Promise<URL | number> {
    const response = await app.request(`/auth?${new URLSearchParams({ ...base, ...change }).toString()}`)
    const location = response.headers.get('location')
    return location === null ? response.status : new URL(location)
  }

  async function requestCode(): Promise<string> {
    const location = await requestConsent()
    assert.ok(location instanceof URL)
    return location.searchParams.get('code') ?? ''
  }

  async function requestToken(fields: Record<string, string>) {
    const body = new URLSearchParams({ client_id: 'slipway-local', ...fields })
    const response = await app.request('/token', { method: 'POST', body })
    return {
      status: response.status,
      ...((await response.json()) as { access_token: string; refresh_token: string; error?: string }),
    }
  }

  const redeemCode = (value: string, verifier = VERIFIER) =>
    requestToken({
      grant_type: 'authorization_code',
      code: value,
      redirect_uri: base.redirect_uri,
      code_verifier: verifier,
    })
  const renewToken = (value: string) => requestToken({ grant_type: 'refresh_token', refresh_token: value })
  const isAlive = (secret: string) => {
    const found = findToken(store, secret)
    return found !== null && isTokenValid(found, now)
  }

  test('a repeated OAuth authorization with prompt=none creates only one account per organization', async () => {
    const first = await requestConsent()
    assert.ok(first instanceof URL)
    assert.equal(first.searchParams.get('state'), 'the state')
    await requestConsent()
    await requestConsent({ login_hint: 'org_2' })
    assert.deepEqual(
      listAccounts(store).map((account) => account.subdomain),
      ['acme-inc', 'acme-inc-2'],
    )
  })

  test('an authorization code can be exchanged once, and a second use revokes the tokens of the first', async () => {
    const value = await requestCode()
    const tokens = await redeemCode(value)
    assert.equal(tokens.status, 200)
    assert.ok(isAlive(tokens.access_token))
    assert.deepEqual(
      [(await redeemCode(value)).error, isAlive(tokens.access_token)],
      ['invalid_grant', false],
    )
  })

  test('a wrong PKCE verifier, an expired authorization code or an unknown client gets no token', async () => {
    assert.equal((await redeemCode(await requestCode(), 'w'.repeat(50))).error, 'invalid_grant')
    const late = await requestCode()
    now += 11 * 60_000
    assert.equal((await redeemCode(late)).error, 'invalid_grant')
    assert.equal(
      (await requestToken({ client_id: 'stranger', grant_type: 'refresh_token' })).error,
      'invalid_client',
    )
  })

  test('an OAuth client may send its id by Basic authentication, and an unknown or badly encoded id is refused', async () => {
    const requestAs = async (client: string) => {
      const authorization = `Basic ${Buffer.from(`${client}:secret`).toString('base64')}`
      const body = new URLSearchParams({ grant_type: 'refresh_token' })
      const answer = await app.request('/token', { method: 'POST', headers: { authorization }, body })
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }
    assert.deepEqual(await requestAs('slipway-local'), [400, 'invalid_grant'])
    assert.deepEqual(await requestAs('slipway%2Dlocal'), [400, 'invalid_grant'])
    for (const client of ['', 'stranger', '100%', '%zz', '%ff'])
      assert.deepEqual(await requestAs(client), [401, 'invalid_client'])
  })

  test('a refresh token rotates, and reuse of a refresh token revokes the whole grant', async () => {
    const first = await redeemCode(await requestCode())
    const second = await renewToken(first.refresh_token)
    assert.equal(second.status, 200)
    assert.ok(isAlive(second.access_token))
    assert.equal((await renewToken(first.refresh_token)).error, 'invalid_grant')
    assert.equal(isAlive(second.access_token), false)
    assert.equal((await renewToken(second.refresh_token)).error, 'invalid_grant')
  })

  test('revoking a token revokes all tokens of its grant, and an access token expires after an hour', async () => {
    const tokens = await redeemCode(await requestCode())
    await app.request('/revoke', {
      method: 'POST',
      body: new URLSearchParams({ token: tokens.refresh_token }),
    })
    assert.equal(isAlive(tokens.access_token), false)
    const others = await redeemCode(await requestCode())
    now += 61 * 60_000
    assert.equal(isAlive(others.access_token), false)
  })

  test('an authorization request needs an allowed redirect URI and PKCE with S256', async () => {
    assert.equal(await requestConsent({ redirect_uri: 'https://evil.example/' }), 400)
    assert.equal(await requestConsent({ redirect_uri: 'https://localhost.evil.example/' }), 400)
    assert.equal(await requestConsent({ client_id: 'other' }), 400)
    assert.ok((await requestConsent({ redirect_uri: 'https://slipway.example/back' })) instanceof URL)
    for (const change of [{ code_challenge_method: 'plain' }, { scope: 'workers:write' }]) {
      const location = await requestConsent(change)
      assert.ok(location instanceof URL && location.searchParams.has('error'), JSON.stringify(change))
    }
  })

  test('an authorization for a lost account recreates it once with its old id, and its old subdomain if that is free', async () => {
    const lost = { account_id: 'a'.repeat(32), account_subdomain: 'lost-one', login_hint: 'org_lost' }
    for (const _ of [1, 2]) assert.ok((await requestConsent(lost)) instanceof URL)
    const found = listAccounts(store).filter(({ id }) => id === lost.account_id)
    assert.deepEqual(
      found.map(({ subdomain }) => subdomain),
      ['lost-one'],
    )
    assert.ok((await requestConsent({ ...lost, account_id: 'b'.repeat(32) })) instanceof URL)
    const [other] = listAccounts(store).filter(({ id }) => id === 'b'.repeat(32))
    assert.notEqual(other?.subdomain, 'lost-one', 'a label is given once')
  })

  /** Opens the consent page as the organization `hint`, whose account may already exist. */
  async function openPage(hint: string) {
    const query = new URLSearchParams({ ...base, prompt: '', login_hint: hint, account_name: 'Garden & <b>' })
    const response = await app.request(`/auth?${query.toString()}`)
    return { response, form: readForm(await response.text()) }
  }
  const submitConsent = (form: URLSearchParams, headers: Record<string, string> = {}) =>
    app.request('/auth', { method: 'POST', body: form, headers })
  const codeIn = (response: Response) =>
    new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? ''

  test('an account created on the consent page is preselected the next time', async () => {
    const { response, form } = await openPage('org_page')
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.deepEqual(form.getAll('account'), ['new'])
    const tokens = await redeemCode(codeIn(await submitConsent(press(form, 'decision', 'allow'))))
    const made = findToken(store, tokens.access_token)
    assert.equal(listAccounts(store).find(({ id }) => id === made?.accountId)?.name, 'Garden & <b>')
    assert.deepEqual(made?.scopes, base.scope.split(' '))
    assert.deepEqual((await openPage('org_page')).form.getAll('account'), [made?.accountId])
  })

  test('a person can grant fewer scopes than requested, for several accounts, and a refreshed token has the same grant', async () => {
    const [first, second] = listAccounts(store)
    const { form } = await openPage('org_page')
    form.delete('account')
    for (const account of [first, second]) form.append('account', account?.id ?? '')
    form.delete('grant')
    form.append('grant', 'account-settings.read')
    form.append('grant', 'never.asked')
    const tokens = await redeemCode(codeIn(await submitConsent(press(form, 'decision', 'allow'))))
    const again = await renewToken(tokens.refresh_token)
    for (const secret of [tokens.access_token, again.access_token]) {
      const token = findToken(store, secret)
      assert.deepEqual(token?.scopes, ['account-settings.read'])
      assert.deepEqual(token?.accountIds, [first?.id, second?.id])
    }
  })

  test('denying consent, choosing no account, or submitting the consent form from another site grants nothing', async () => {
    const { form } = await openPage('org_denied')
    const denied = await submitConsent(press(form, 'decision', 'deny'))
    const back = new URL(denied.headers.get('location') ?? '').searchParams
    assert.deepEqual(
      [back.get('error'), back.get('state'), back.get('code')],
      ['access_denied', 'the state', null],
    )
    form.delete('account')
    const nothing = await submitConsent(press(form, 'decision', 'allow'))
    assert.deepEqual([nothing.status, nothing.headers.get('location')], [400, null])
    assert.match(await nothing.text(), /Choose at least one account/)
    const foreign = await submitConsent(press(form, 'decision', 'allow'), { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.status, 403)
  })

  test('granting no permission shows the consent page again, because a token without scopes would have every permission', async () => {
    const accounts = listAccounts(store).length
    const { form } = await openPage('org_nothing')
    form.delete('grant')
    for (const grants of [[], ['never.asked']]) {
      for (const grant of grants) form.append('grant', grant)
      const nothing = await submitConsent(press(form, 'decision', 'allow'))
      assert.deepEqual([nothing.status, nothing.headers.get('location')], [400, null])
      assert.match(await nothing.text(), /Choose at least one permission/)
    }
    assert.equal(listAccounts(store).length, accounts)
  })

  test('an authorization request with an empty or unknown scope is refused as invalid_scope', async () => {
    for (const scope of ['', ' ', 'everything', 'workers-scripts.write *'])
      for (const prompt of ['none', '']) {
        const location = await requestConsent({ scope, prompt })
        assert.ok(location instanceof URL)
        const { error, code } = Object.fromEntries(location.searchParams)
        assert.deepEqual([error, code], ['invalid_scope', undefined])
      }
  })
})
