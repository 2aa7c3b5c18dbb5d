import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { press, readForm } from '../../testing/forms.ts'
import { testCloud } from '../../testing/cloud.ts'
import { createAccount } from './accounts.ts'
import { tokensPage } from './tokens-page.ts'

describe('the page of API tokens', () => {
  const cloud = testCloud()
  after(() => cloud.close())
  const app = tokensPage({ store: cloud.store, now: () => 5 })
  const second = createAccount(cloud.store, { name: 'Second <i>', plan: 'free', at: 2 })

  const openForm = async () => readForm((await (await app.request('/')).text()).split('<table>')[0] ?? '')
  const submitForm = async (form: URLSearchParams, headers: Record<string, string> = {}) => {
    const response = await app.request('/', { method: 'POST', body: form, headers })
    const text = await response.text()
    return { status: response.status, text, secret: /<code id="token">([^<]+)</.exec(text)?.[1] ?? '' }
  }

  test('an API token created on the tokens page has exactly the chosen permissions', async () => {
    const form = await openForm()
    form.delete('grant')
    form.append('grant', 'workers-scripts.write')
    const { secret } = await submitForm(press(form, 'name', 'Mine'))
    assert.match(secret, /^local_/)
    assert.equal((await cloud.call('GET', '/A/workers/scripts', undefined, secret)).status, 200)
    const refused = await cloud.call('GET', '/A/r2/buckets', undefined, secret)
    assert.deepEqual(
      [refused.status, refused.errors[0]?.message],
      [403, 'Authentication error: the token lacks r2.read'],
    )
    assert.equal((await cloud.call('GET', `/accounts/${second.id}`, undefined, secret)).status, 403)
    assert.equal((await cloud.call('GET', '/user/tokens/verify', undefined, secret)).status, 200)
  })

  test('an API token for two accounts can use and list both accounts', async () => {
    const form = await openForm()
    form.append('account', second.id)
    const { secret } = await submitForm(form)
    const listed = await cloud.call('GET', '/accounts', undefined, secret)
    assert.deepEqual(
      (listed.result as { id: string }[]).map(({ id }) => id),
      [cloud.accountId, second.id],
    )
    for (const id of [cloud.accountId, second.id])
      assert.equal((await cloud.call('GET', `/accounts/${id}/tokens/verify`, undefined, secret)).status, 200)
  })

  test('the secret of an API token is shown only once, and a revoked token is refused', async () => {
    const { secret } = await submitForm(press(await openForm(), 'name', 'Short-lived'))
    const page = await (await app.request('/')).text()
    assert.ok(page.includes('Short-lived') && !page.includes(secret))
    assert.ok(page.includes('Second &lt;i&gt;') && !page.includes('Second <i>'))
    const [, path = ''] = /action="\/cloudflare\/tokens(\/[0-9a-f]+\/revoke)"/.exec(page) ?? []
    assert.equal((await app.request(path, { method: 'POST' })).status, 303)
    assert.equal((await cloud.call('GET', '/A/workers/scripts', undefined, secret)).status, 401)
  })

  test('the API token form creates no token when another site submits it, or without an account or permission', async () => {
    const form = await openForm()
    assert.equal((await submitForm(form, { 'sec-fetch-site': 'cross-site' })).status, 403)
    for (const field of ['account', 'grant']) {
      const less = new URLSearchParams(form)
      less.delete(field)
      const { status, secret } = await submitForm(less)
      assert.deepEqual([status, secret], [400, ''], field)
    }
  })
})
