import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

describe('apps and relay keys of the media server over REST', () => {
  let cloud: TestCloud
  beforeEach(() => {
    cloud = testCloud()
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, `/A/calls${path}`, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }

  test('the secret of a calls app or TURN key is returned only at its creation, as `secret` or `key`', async () => {
    for (const [kind, field] of [
      ['apps', 'secret'],
      ['turn_keys', 'key'],
    ] as const) {
      const time = new Date(cloud.now()).toISOString()
      const made = (await call('POST', `/${kind}`, { name: 'shop' })) as {
        uid: string
        [name: string]: string
      }
      const { [field]: secret, ...shown } = made
      assert.match(secret ?? '', /^[0-9a-f]{64}$/)
      assert.deepEqual(shown, { uid: made.uid, name: 'shop', created: time, modified: time })
      assert.deepEqual(
        [await call('GET', `/${kind}/${made.uid}`), await call('GET', `/${kind}`)],
        [shown, [shown]],
      )
      cloud.clock.advance(1000)
      const renamed = { ...shown, name: 'new', modified: new Date(cloud.now()).toISOString() }
      assert.deepEqual(await call('PUT', `/${kind}/${made.uid}`, { name: 'new' }), renamed)
      assert.deepEqual(await call('DELETE', `/${kind}/${made.uid}`), renamed)
      for (const [method, body] of [['GET'], ['DELETE'], ['PUT', {}]] as const)
        assert.deepEqual(await call(method, `/${kind}/${made.uid}`, body), [404, 10404])
    }
  })

  test('a calls app cannot be read or deleted as a TURN key, and another account cannot delete it', async () => {
    const { uid } = (await call('POST', '/apps', {})) as { uid: string }
    assert.deepEqual(
      [await call('GET', `/turn_keys/${uid}`), await call('DELETE', `/turn_keys/${uid}`)],
      [
        [404, 10404],
        [404, 10404],
      ],
    )
    const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
    const foreign = await cloud.call('DELETE', `/accounts/${id}/calls/apps/${uid}`, undefined, secret)
    assert.deepEqual([foreign.errors[0]?.code, ((await call('GET', '/apps')) as object[]).length], [10404, 1])
  })

  test("a calls app's name has at most 254 characters, and a read-only token cannot create an app", async () => {
    assert.deepEqual(await call('POST', '/apps', { name: 'x'.repeat(255) }), [400, 10001])
    const { name } = (await call('POST', '/apps', { name: 'x'.repeat(254) })) as { name: string }
    assert.equal(name.length, 254)
    const { secret } = issueToken(cloud.store, {
      kind: 'access',
      accountId: cloud.accountId,
      scopes: ['calls.read'],
      at: cloud.now(),
    })
    assert.deepEqual(await call('POST', '/apps', {}, secret), [403, 10000])
    assert.equal(((await call('GET', '/apps', undefined, secret)) as object[]).length, 1)
  })
})
