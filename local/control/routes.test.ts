import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../testing/cloud.ts'
import { WorldClock } from '../world/clock.ts'
import { controlRoutes } from './routes.ts'

const cloud = testCloud()
const clock = new WorldClock()
const app = controlRoutes({ cloud, clock, token: 'the token' })

async function callControl(method: string, path: string, body?: object, token = 'the token') {
  const response = await app.request(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the control routes', () => {
  after(() => cloud.close())
  test('a request to the control API of the local cloud without the right token is refused', async () => {
    assert.equal((await callControl('GET', '/journal', undefined, 'another')).status, 401)
    assert.equal((await callControl('POST', '/tokens/revoke', { account: cloud.accountId }, '')).status, 401)
  })

  test('the control API lists the workers and Durable Object namespaces of an account', async () => {
    const form = uploadForm('export default { fetch() {} }; export class Room {}', {
      migrations: { new_tag: 'v1', new_sqlite_classes: ['Room'] },
    })
    await cloud.call('PUT', '/A/workers/scripts/shop-live', form)
    const { body } = await callControl('GET', `/resources?account=${cloud.accountId}`)
    const { workers, namespaces } = body as {
      workers: { name: string }[]
      namespaces: { className: string }[]
    }
    assert.deepEqual(
      workers.map((worker) => worker.name),
      ['shop-live'],
    )
    assert.deepEqual(
      namespaces.map((namespace) => namespace.className),
      ['Room'],
    )
  })

  test("the control API reduces the scopes of an account's token and revokes the token", async () => {
    const listScripts = () => cloud.call('GET', '/A/workers/scripts')
    await callControl('POST', '/tokens/narrow', { account: cloud.accountId, scopes: ['user-details.read'] })
    assert.equal((await listScripts()).status, 403)
    await callControl('POST', '/tokens/revoke', { account: cloud.accountId })
    assert.equal((await listScripts()).status, 401)
  })

  test('the control API creates an account with a token, and advances the clock', async () => {
    const { status, body } = await callControl('POST', '/accounts', { name: 'New One', plan: 'free' })
    const { account, token } = body as { account: { id: string; subdomain: string }; token: string }
    assert.deepEqual([status, account.subdomain], [201, 'new-one'])
    assert.equal((await cloud.call('GET', `/accounts/${account.id}`, undefined, token)).status, 200)
    const before = clock.now()
    await callControl('POST', '/clock', { advanceMs: 60_000 })
    assert.ok(clock.now() >= before + 60_000)
  })
})
