import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../../testing/cloud.ts'
import { apiRoutes } from '../../routes.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface Made {
  id: string
  url: string
  expires_at: string
}

describe('tail sessions over REST', () => {
  const cloud = testCloud()
  const TAILS = '/A/workers/scripts/shop/tails'
  after(() => cloud.close())
  before(() => cloud.call('PUT', '/A/workers/scripts/shop', uploadForm('export default { fetch() {} }')))
  const outcome = ({ status, errors }: { status: number; errors: { code: number }[] }) => [
    status,
    errors[0]?.code,
  ]

  test('a tail session has a secret address that lists omit, and expires in six hours', async () => {
    const [one, two] = [
      (await cloud.call('POST', TAILS, {})).result as Made,
      (await cloud.call('POST', TAILS, { filters: [] })).result as Made,
    ]
    assert.notEqual(one.url, two.url)
    assert.match(one.url, /^ws:\/\/[^/]+\/cloudflare\/tails\/[\w-]{40}$/)
    assert.ok(Math.abs(Date.parse(one.expires_at) - Date.now() - 6 * 3_600_000) < 60_000)
    assert.deepEqual((await cloud.call('GET', TAILS)).result, [
      { id: one.id, expires_at: one.expires_at },
      { id: two.id, expires_at: two.expires_at },
    ])
    for (const { id } of [one, two]) assert.equal((await cloud.call('DELETE', `${TAILS}/${id}`)).status, 200)
    assert.deepEqual((await cloud.call('GET', TAILS)).result, [])
    assert.deepEqual(outcome(await cloud.call('DELETE', `${TAILS}/${one.id}`)), [404, 10057])
  })

  test('a tail session of a missing worker, or with invalid or too many filters, is refused', async () => {
    const create = async (body: object, script = 'shop') =>
      outcome(await cloud.call('POST', `/A/workers/scripts/${script}/tails`, body))
    assert.deepEqual(await create({}, 'missing'), [404, 10007])
    for (const body of [
      { filters: [{ country: 'DE' }] },
      { filters: [{ sampling_rate: 2 }] },
      { filters: Array.from({ length: 21 }, () => ({ query: 'a' })) },
    ])
      assert.deepEqual(await create(body), [400, 10001])
    assert.deepEqual((await cloud.call('GET', TAILS)).result, [])
  })

  test('the tail sessions of one account can be neither listed nor deleted by another account', async () => {
    const { id } = (await cloud.call('POST', TAILS, {})).result as Made
    const other = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 }).id
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: other, scopes: [], at: 1 })
    await cloud.call(
      'PUT',
      `/accounts/${other}/workers/scripts/shop`,
      uploadForm('export default { fetch() {} }'),
      secret,
    )
    const theirs = `/accounts/${other}/workers/scripts/shop/tails`
    assert.deepEqual((await cloud.call('GET', theirs, undefined, secret)).result, [])
    assert.deepEqual(outcome(await cloud.call('DELETE', `${theirs}/${id}`, undefined, secret)), [404, 10057])
    await cloud.call('DELETE', `${TAILS}/${id}`)
  })

  test('a tail session with the client address "self" filters by the address of the client that created the session', async () => {
    const app = apiRoutes(cloud)
    const incoming = { socket: { remoteAddress: '::ffff:9.8.7.6' } } as IncomingMessage
    const made = await app.request(
      TAILS.replace('/A/', `/accounts/${cloud.accountId}/`),
      {
        method: 'POST',
        headers: { authorization: `Bearer ${cloud.token}` },
        body: JSON.stringify({ filters: [{ client_ip: ['self'] }] }),
      },
      { incoming },
    )
    const { result } = (await made.json()) as { result: Made }
    const session = cloud.tails.list(cloud.accountId, 'shop').find(({ id }) => id === result.id)
    assert.deepEqual(session?.filters, [{ client_ip: ['9.8.7.6'] }])
  })
})
