import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface Widget {
  sitekey: string
  secret: string
  name: string
}

const INPUT = { name: 'shop', domains: ['shop.test'], mode: 'managed' }

describe('Turnstile widgets over REST', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path = '', body?: object, token?: string) => {
    const answer = await cloud.call(method, `/A/challenges/widgets${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const create = async (change: object = {}) => (await call('POST', '', { ...INPUT, ...change })) as Widget

  test('a Turnstile widget is read with its secret, listed without it, and returns 404 after its deletion', async () => {
    const made = await create()
    const { secret, ...listed } = made
    assert.deepEqual([await call('GET', `/${made.sitekey}`), await call('GET')], [made, [listed]])
    cloud.clock.advance(1000)
    const change = { name: 'new', domains: [], mode: 'invisible' }
    const changed = { ...made, ...change, modified_on: new Date(cloud.now()).toISOString() }
    assert.deepEqual(await call('PUT', `/${made.sitekey}`, change), changed)
    assert.deepEqual(await call('DELETE', `/${made.sitekey}`), changed)
    assert.notEqual(secret, '')
    for (const [method, path, body] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '', INPUT],
      ['POST', '/rotate_secret', {}],
    ] as const)
      assert.deepEqual(await call(method, `/${made.sitekey}${path}`, body), [404, 10404])
  })

  test('rotating the secret of a Turnstile widget replaces the secret and nothing else', async () => {
    const made = await create()
    const rotated = (await call('POST', `/${made.sitekey}/rotate_secret`, {})) as Widget
    assert.notEqual(rotated.secret, made.secret)
    assert.deepEqual({ ...rotated, secret: made.secret }, made)
    assert.deepEqual(await call('GET', `/${made.sitekey}`), rotated)
    assert.deepEqual(
      await call('POST', `/${made.sitekey}/rotate_secret`, { invalidate_immediately: 1 }),
      [400, 10001],
    )
  })

  test('an account has at most twenty Turnstile widgets, each with at most fifteen host names', async () => {
    const domains = (count: number) => Array.from({ length: count }, (_, at) => `d${at}.test`)
    for (let made = 0; made < 20; made++) await create({ domains: domains(15) })
    const { sitekey } = ((await call('GET')) as Widget[])[0] ?? assert.fail('no widget')
    assert.deepEqual(await create(), [403, 10405])
    await call('DELETE', `/${sitekey}`)
    for (const wrong of [
      { domains: domains(16) },
      { domains: ['Shop.test'] },
      { domains: ['https://shop.test'] },
      { domains: [''] },
      { name: '' },
      { name: 'x'.repeat(255) },
      { mode: 'hidden' },
    ])
      assert.deepEqual(await create(wrong), [400, 10001])
    assert.equal((await create({ name: 'x'.repeat(254) })).name.length, 254)
  })

  test('a Turnstile widget of another account is not found, and a read-only token cannot delete a widget', async () => {
    const { sitekey } = await create()
    const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const foreign = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 }).secret
    const path = `/accounts/${id}/challenges/widgets/${sitekey}`
    for (const [method, more, body] of [
      ['GET', '', undefined],
      ['PUT', '', INPUT],
      ['DELETE', '', undefined],
      ['POST', '/rotate_secret', {}],
    ] as const)
      assert.equal((await cloud.call(method, `${path}${more}`, body, foreign)).status, 404)
    const scopes = ['challenge-widgets.read']
    const reader = issueToken(cloud.store, {
      kind: 'access',
      accountId: cloud.accountId,
      scopes,
      at: cloud.now(),
    }).secret
    assert.deepEqual(await call('DELETE', `/${sitekey}`, undefined, reader), [403, 10000])
    assert.equal(((await call('GET', '', undefined, reader)) as Widget[]).length, 1)
  })
})
