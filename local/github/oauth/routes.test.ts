import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { press, readForm } from '../../testing/forms.ts'
import { Journal } from '../../world/journal.ts'
import { silentLog } from '../../world/log.ts'
import { openStore } from '../../schema.ts'
import { listUsers, seedGithub } from '../accounts.ts'
import { findToken } from '../tokens.ts'
import { oauthRoutes } from './routes.ts'

describe('signing in to the local code host', () => {
  const store = openStore(':memory:')
  seedGithub(store, 1)
  after(() => store.close())
  const journal = new Journal(store)
  const app = oauthRoutes({
    store,
    journal,
    dir: '',
    faults: null,
    log: silentLog,
    now: () => 1,
    baseUrl: null,
  })

  const VERIFIER = 'v'.repeat(50)
  const request = {
    client_id: 'slipway-local',
    redirect_uri: 'http://localhost:4300/back',
    scope: 'repo read:org',
    state: 'the state',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    login_hint: 'org_1',
    account_name: 'Acme',
  }
  const openPage = async () => {
    const page = await app.request(`/authorize?${new URLSearchParams(request).toString()}`)
    return readForm(await page.text())
  }
  const submitDecision = async (form: URLSearchParams, headers: Record<string, string> = {}) => {
    const answer = await app.request('/authorize', { method: 'POST', body: form, headers })
    const location = answer.headers.get('location')
    return { status: answer.status, back: location === null ? null : new URL(location).searchParams }
  }
  const redeemCode = async (code: string, verifier = VERIFIER) => {
    const body = new URLSearchParams({ client_id: 'slipway-local', code, code_verifier: verifier })
    const answer = await app.request('/access_token', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
    })
    return (await answer.json()) as { access_token: string; scope: string; error?: string }
  }

  test('signing in to the code host with a new login creates the user, and the next sign-in form contains the login', async () => {
    const form = await openPage()
    assert.equal(form.get('login'), '')
    const { back } = await submitDecision(press(form, 'decision', 'allow'))
    assert.equal(back?.get('state'), 'the state')
    const token = findToken(store, (await redeemCode(back?.get('code') ?? '')).access_token)
    assert.deepEqual(token?.scopes, ['repo', 'read:org'])
    assert.equal(listUsers(store).find(({ id }) => id === token?.userId)?.login, 'acme')
    assert.equal((await openPage()).get('login'), 'acme')
  })

  test('a person can grant fewer scopes than a GitHub authorization requests', async () => {
    const form = await openPage()
    form.delete('grant')
    form.append('grant', 'repo')
    const { back } = await submitDecision(press(form, 'decision', 'allow'))
    assert.equal((await redeemCode(back?.get('code') ?? '')).scope, 'repo')
  })

  test('no GitHub authorization code is issued when the user denies the request or another site submits the consent form', async () => {
    const form = await openPage()
    const { back } = await submitDecision(press(form, 'decision', 'deny'))
    assert.deepEqual([back?.get('error'), back?.has('code')], ['access_denied', false])
    const foreign = await submitDecision(press(form, 'decision', 'allow'), { 'sec-fetch-site': 'cross-site' })
    assert.deepEqual(foreign, { status: 403, back: null })
  })

  test('a GitHub authorization code is refused when it was used already or comes with a wrong PKCE verifier', async () => {
    const requestCode = async () =>
      (await submitDecision(press(await openPage(), 'decision', 'allow'))).back?.get('code') ?? ''
    assert.equal((await redeemCode(await requestCode(), 'w'.repeat(50))).error, 'bad_verification_code')
    const good = await requestCode()
    assert.match((await redeemCode(good)).access_token, /^gho_/)
    assert.equal((await redeemCode(good)).error, 'bad_verification_code')
  })
})
