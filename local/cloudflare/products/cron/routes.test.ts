import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

interface Shown {
  schedules: { cron: string; created_on: string; modified_on: string }[]
}

describe('the cron triggers of a worker over REST', () => {
  let cloud: TestCloud
  beforeEach(async () => {
    cloud = testCloud()
    await uploadWorker('shop')
  })
  afterEach(() => cloud.close())

  const uploadWorker = (name: string, accountId = cloud.accountId, token = cloud.token) =>
    cloud.call(
      'PUT',
      `/accounts/${accountId}/workers/scripts/${name}`,
      uploadForm('export default { scheduled() {} }'),
      token,
    )
  const put = async (body: object, name = 'shop', accountId = cloud.accountId, token = cloud.token) => {
    const path = `/accounts/${accountId}/workers/scripts/${name}/schedules`
    const answer = await cloud.call('PUT', path, body, token)
    return answer.success ? shownCrons(answer.result) : [answer.status, answer.errors[0]?.code]
  }
  const shownCrons = (result: unknown) => (result as Shown).schedules.map(({ cron }) => cron)
  const list = async () =>
    ((await cloud.call('GET', '/A/workers/scripts/shop/schedules')).result as Shown).schedules
  /** `count` different expressions. */
  const manyCrons = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ cron: `${n % 60} ${Math.floor(n / 60)} * * *` }))

  test("updating a worker's cron triggers replaces the whole list, and stores repeated triggers once", async () => {
    assert.deepEqual(await put([{ cron: ' 5 * * * * ' }, { cron: '0 0 * * *' }, { cron: '5 * * * *' }]), [
      '0 0 * * *',
      '5 * * * *',
    ])
    assert.deepEqual(await put([{ cron: '5 * * * *' }]), ['5 * * * *'])
    assert.deepEqual(await put([]), [])
  })

  test('a cron trigger that stays in the list keeps its creation time', async () => {
    await put([{ cron: '5 * * * *' }])
    const [before] = await list()
    cloud.clock.advance(60_000)
    await put([{ cron: '5 * * * *' }, { cron: '6 * * * *' }])
    const [kept, added] = await list()
    assert.equal(kept?.created_on, before?.created_on)
    assert.equal(Date.parse(added?.created_on ?? ''), Date.parse(before?.created_on ?? '') + 60_000)
    assert.equal(kept?.modified_on, added?.modified_on)
  })

  test('a refused update of cron triggers, for instance with one invalid trigger, changes none of them', async () => {
    await put([{ cron: '5 * * * *' }])
    const refusals = [
      await put([{ cron: '6 * * * *' }, { cron: '60 * * * *' }]),
      await put({ schedules: [{ cron: '6 * * * *' }] }),
      await put(['6 * * * *']),
      await put([{ cron: '6 * * * *' }], 'missing'),
    ]
    assert.deepEqual(refusals, [
      [400, 10100],
      [400, 10001],
      [400, 10001],
      [404, 10007],
    ])
    assert.deepEqual(shownCrons({ schedules: await list() }), ['5 * * * *'])
  })

  test('an account has at most 250 cron triggers, or 5 on the free plan, counted over all its workers', async () => {
    await uploadWorker('blog')
    assert.equal((await put(manyCrons(249))).length, 249)
    assert.deepEqual(await put(manyCrons(2), 'blog'), [403, 10072])
    assert.equal((await put(manyCrons(1), 'blog')).length, 1)
    // The triggers that the list replaces do not count.
    assert.equal((await put(manyCrons(249).reverse())).length, 249)

    const free = createAccount(cloud.store, { name: 'Free', plan: 'free', at: 1 }).id
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: free, scopes: [], at: 1 })
    await uploadWorker('shop', free, secret)
    assert.deepEqual(await put(manyCrons(6), 'shop', free, secret), [403, 10072])
    assert.equal((await put(manyCrons(5), 'shop', free, secret)).length, 5)
  })

  test('deleting a worker deletes its cron triggers, so a new worker of the same name has none', async () => {
    await put([{ cron: '5 * * * *' }])
    await cloud.call('DELETE', '/A/workers/scripts/shop')
    await uploadWorker('shop')
    assert.deepEqual(await list(), [])
  })
})
