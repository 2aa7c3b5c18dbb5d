import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DeployedBinding, readBindings } from '../../cloudflare/products/workers.ts'
import { findWidget } from '../../cloudflare/products/turnstile.ts'
import { appSaying, type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { FaultProxy } from '../../testing/providers/fault-proxy.ts'
import { leaves } from '../../testing/effects.ts'

type Project = Awaited<ReturnType<CloudApp['personWithProject']>>

describe('the workers that capabilities share', () => {
  const proxy = new FaultProxy()
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  afterEach(() => {
    proxy.decide = null
    proxy.disarm()
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  const stateOf = async ({ person, path }: Project, key: string): Promise<string> => {
    const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/${key}`)
    return data.provision.state
  }
  async function switchOn({ person, path }: Project, keys: string[], settings?: object): Promise<void> {
    for (const key of keys) {
      const put = await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true, settings })
      assert.equal(put.status, 200, String(put.error?.message))
    }
  }
  async function untilIdle(of: Project, keys: string[]): Promise<void> {
    for (const key of keys) await until(async () => (await stateOf(of, key)) === 'idle')
  }
  async function boundTo({ person, project }: Project, role: string): Promise<readonly DeployedBinding[]> {
    const account = await cloud.accountOf(person.organizationId)
    return (await readBindings(account, `${project.slug}-${role}`)) ?? []
  }
  async function valueIn(of: Project, name: string): Promise<string> {
    return (await boundTo(of, 'live')).find((one) => one.name === name)?.text ?? ''
  }

  const NAMED = [
    ['guard', 'GUARD_SITE_KEY', /^\w{10}/],
    ['ai', 'AI_MODEL', /^@cf\//],
    ['call', 'SFU_APP_ID', /^\w{10}/],
    ['call', 'TURN_KEY_ID', /^\w{10}/],
  ] as const
  for (const [key, name, form] of NAMED) {
    test(`the Durable Objects worker has the variable ${name} once the capability ${key} is enabled, alone or after another capability`, async () => {
      leaves({
        activity: {
          'ai_gateway.create': 'any',
          'sfu_app.create': 'any',
          'turn_key.create': 'any',
          'widget.create': 'any',
          'worker.address': 'some',
          'worker.upload': 'some',
        },
        jobs: { provision: 'any' },
      })
      const alone = await cloud.personWithProject()
      await switchOn(alone, [key])
      await untilIdle(alone, [key])
      assert.match(await valueIn(alone, name), form)

      const after = await cloud.personWithProject()
      await switchOn(after, ['data'])
      await untilIdle(after, ['data'])
      await switchOn(after, [key])
      await untilIdle(after, [key])
      assert.match(await valueIn(after, name), form)
    })
  }

  test('enabling or changing a capability does not wait for a background job that retries another capability', async () => {
    leaves({
      activity: {
        'widget.create': 1,
        'widget.create failed': 'some',
        'worker.address': 1,
        'worker.upload': 'some',
      },
      jobs: { provision: 2 },
    })
    const one = await cloud.personWithProject()
    const call = proxy.hold('POST', /\/challenges\/widgets$/)
    proxy.arm('POST', /\/challenges\/widgets$/, 'answer 429', Infinity)
    await switchOn(one, ['guard'])
    await call.arrived
    call.release()
    await switchOn(one, ['data'])
    await untilIdle(one, ['data'])
    assert.equal(await valueIn(one, 'DATA_LOG_DAYS'), '7')
    await switchOn(one, ['data'], { logDays: 2 })
    await untilIdle(one, ['data'])
    assert.deepEqual(
      [
        await stateOf(one, 'guard'),
        await valueIn(one, 'DATA_LOG_DAYS'),
        await valueIn(one, 'GUARD_SITE_KEY'),
      ],
      ['creating', '2', ''],
    )
    proxy.disarm()
    await untilIdle(one, ['guard'])
    assert.match(await valueIn(one, 'GUARD_SITE_KEY'), /^\w{10}/)
    assert.equal(await valueIn(one, 'DATA_LOG_DAYS'), '2')
  })

  test('the Durable Objects worker is deployed for other capabilities even if the Turnstile widget cannot be created', async () => {
    leaves({
      activity: {
        'widget.create': 1,
        'widget.create failed': 1,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { provision: 'any' },
    })
    const one = await cloud.personWithProject()
    proxy.arm('POST', /\/challenges\/widgets$/, 'answer 429', Infinity)
    await switchOn(one, ['guard', 'data'])
    await untilIdle(one, ['data'])
    assert.deepEqual([await stateOf(one, 'guard'), await valueIn(one, 'GUARD_SITE_KEY')], ['creating', ''])
    proxy.disarm()
    await untilIdle(one, ['guard'])
    assert.match(await valueIn(one, 'GUARD_SITE_KEY'), /^\w{10}/)
  })

  test('disabling the last capability removes its binding from the Durable Objects worker', async () => {
    leaves({
      activity: { 'ai_gateway.create': 1, 'worker.address': 1, 'worker.upload': 3 },
      jobs: { provision: 2 },
    })
    const one = await cloud.personWithProject()
    await switchOn(one, ['ai'])
    await untilIdle(one, ['ai'])
    const named = async () => (await boundTo(one, 'live')).map(({ name }) => name)
    assert.ok((await named()).includes('AI'))
    const off = await one.person.call(`PUT ${one.path}/capabilities/ai`, { enabled: false })
    assert.equal(off.status, 200)
    await until(async () => !(await named()).includes('AI'))
    assert.deepEqual(
      (await named()).filter((name) => name === 'AI_MODEL' || name === 'AI_GATEWAY'),
      [],
    )
  })

  test('a capability whose settings change during provisioning is provisioned with the changed settings', async () => {
    leaves({
      // When the worker was uploaded before the secret was known, a separate call sets the secret.
      activity: { 'widget.change': 1, 'widget.create': 1, 'worker.secrets': 'any', 'worker.upload': 'some' },
      jobs: { provision: 'any' },
    })
    const one = await cloud.personWithProject()
    const call = proxy.hold('POST', /\/challenges\/widgets$/)
    await switchOn(one, ['guard'])
    await call.arrived
    await switchOn(one, ['guard'], { mode: 'invisible' })
    call.release()
    await untilIdle(one, ['guard'])
    const account = await cloud.accountOf(one.person.organizationId)
    assert.equal((await findWidget(account, `${one.project.slug}-guard`))?.mode, 'invisible')
  })

  test('a deployment that begins during provisioning waits for the result and creates no resource twice', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'sfu_app.create': 1,
        'turn_key.create': 1,
        'worker.address': 2,
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 1 },
    })
    const one = await cloud.personWithProject()
    await cloud.build(one.project.id, appSaying('one'))
    const call = proxy.hold('POST', /\/calls\/apps$/)
    await switchOn(one, ['call'])
    await call.arrived
    let isDeployed = false
    const deployment = one.person.call(`POST ${one.path}/deploy`).then(({ status }) => {
      isDeployed = true
      return status
    })
    await until(async () => (await cloud.countCalls('GET', '/calls/turn_keys')) > 0)
    await sleep(1_000)
    assert.equal(isDeployed, false)
    call.release()
    assert.equal(await deployment, 200)
    assert.equal(await stateOf(one, 'call'), 'idle')
  })

  test("the project's admin worker is bound to Browser Rendering only once the account confirms that it has the product", async () => {
    leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const one = await cloud.personWithProject()
    const browsers = async () => (await boundTo(one, 'admin')).filter(({ type }) => type === 'browser').length
    proxy.arm('GET', /\/browser-rendering\//, 'answer 500', Infinity)
    await switchOn(one, ['render', 'data'])
    await untilIdle(one, ['data'])
    assert.deepEqual([await stateOf(one, 'render'), await browsers()], ['creating', 0])
    proxy.disarm()
    await untilIdle(one, ['render'])
    assert.equal(await browsers(), 1)
  })

  test("the project's admin worker keeps its binding to Browser Rendering while Cloudflare does not respond about this product", async () => {
    leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const one = await cloud.personWithProject()
    const browsers = async () => (await boundTo(one, 'admin')).filter(({ type }) => type === 'browser').length
    await switchOn(one, ['render'])
    await untilIdle(one, ['render'])
    let asked = 0
    proxy.decide = ({ path }) => (path.includes('/browser-rendering/') && ++asked > 0 ? 'answer 500' : null)
    await switchOn(one, ['data'])
    await until(() => Promise.resolve(asked > 0))
    assert.equal(await browsers(), 1)
    proxy.decide = null
    await untilIdle(one, ['data'])
    assert.equal(await browsers(), 1)
  })

  test("the project's admin worker is bound to an R2 bucket whose creation succeeds only at the second attempt", async () => {
    leaves({
      activity: {
        'bucket.create': 'some',
        'bucket.create failed': 'some',
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { provision: 'any' },
    })
    const one = await cloud.personWithProject()
    const buckets = async () =>
      (await boundTo(one, 'admin')).filter(({ type }) => type === 'r2_bucket').length
    proxy.arm('POST', /\/r2\/buckets$/, 'answer 429', Infinity)
    await switchOn(one, ['files', 'data'])
    await untilIdle(one, ['data'])
    assert.deepEqual([await stateOf(one, 'files'), await buckets()], ['creating', 0])
    proxy.disarm()
    await untilIdle(one, ['files'])
    assert.equal(await buckets(), 2)
  })
})
