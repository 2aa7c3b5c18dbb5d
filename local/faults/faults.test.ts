import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../testing/cloud.ts'
import { testGithub } from '../testing/github.ts'
import { testStripe } from '../testing/stripe.ts'
import { FaultRule, Faults } from './faults.ts'
import { findSentinel } from './sentinels.ts'

const cloud = testCloud()
const deployWorker = (name: string) =>
  cloud.call('PUT', `/A/workers/scripts/${name}`, uploadForm('export default {fetch(){}}'))

describe('injected faults', () => {
  after(() => cloud.close())
  test('a resource name causes a fault only if it contains a token such as fail-429 as whole words between dashes', () => {
    assert.equal(findSentinel('shop-fail-429'), 'fail-429')
    assert.equal(findSentinel('fail-500-always-live'), 'fail-500-always')
    assert.equal(findSentinel('x-slow-3s'), 'slow-3s')
    for (const name of ['failsafe-429', 'fail-4290', 'unfail-500', 'slow-motion', 'late-s']) {
      assert.equal(findSentinel(name), null, name)
    }
  })

  test('the first upload of a worker whose name contains fail-429 gets status 429, and the second succeeds', async () => {
    const first = await deployWorker('shop-fail-429')
    assert.equal(first.status, 429)
    assert.equal((await deployWorker('shop-fail-429')).status, 200)
    assert.equal((await deployWorker('shop-failsafe-429')).status, 200)
  })

  test('each upload of a worker whose name contains fail-500-always, fail-403, fail-upload or fail-taken fails', async () => {
    for (const [name, status] of [
      ['a-fail-500-always', 500],
      ['a-fail-403', 403],
      ['a-fail-upload', 400],
      ['a-fail-taken', 409],
    ] as const) {
      assert.deepEqual(
        [(await deployWorker(name)).status, (await deployWorker(name)).status],
        [status, status],
        name,
      )
    }
  })

  test('a worker whose name contains fail-delete can be uploaded and read, but its deletion fails', async () => {
    assert.equal((await deployWorker('a-fail-delete')).status, 200)
    assert.equal((await cloud.call('DELETE', '/A/workers/scripts/a-fail-delete')).status, 500)
    assert.equal((await cloud.call('GET', '/A/workers/services/a-fail-delete')).status, 200)
  })

  test('a simulated fault for the nth matching request affects only that request and is in the request journal', async () => {
    const rule = { match: { provider: 'cloudflare', method: 'PUT', nth: 2 }, do: { status: 503, code: 1 } }
    cloud.faults?.addRule(FaultRule.parse(rule))
    const statuses = [
      (await deployWorker('plain')).status,
      (await deployWorker('plain')).status,
      (await deployWorker('plain')).status,
    ]
    assert.deepEqual(statuses, [200, 503, 200])
    const last = (cloud.journal.read(0) as { status: number; fault: string | null }[]).findLast(
      (e) => e.status === 503,
    )
    assert.equal(last?.fault, 'control')
  })

  test("the fakes of Cloudflare, GitHub and Stripe return a simulated error in their provider's format", async (t) => {
    const [github, stripe] = [testGithub(), testStripe()]
    t.after(() => github.close())
    t.after(() => stripe.close())
    assert.equal((await deployWorker('b-fail-403')).errors[0]?.code, 10000)
    const repositories = github.client(github.tokenOf('ada')).repos
    await assert.rejects(repositories.createForAuthenticatedUser({ name: 'b-fail-403' }), {
      status: 403,
      message: /The name asks for this failure/,
    })
    await assert.rejects(stripe.client().products.create({ name: 'b-fail-403' }), {
      statusCode: 403,
      code: 'more_permissions_required',
    })
  })

  test('a resource whose name contains late-3s is hidden for three seconds, multiplied by the configured time scale', () => {
    const faults = new Faults(0.5)
    assert.equal(faults.visibilityDelayMs('x-late-3s'), 1500)
    assert.equal(faults.visibilityDelayMs('x-latest'), 0)
  })
})
