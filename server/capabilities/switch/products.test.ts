import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { readBindings } from '../../cloudflare/products/workers.ts'
import { appSaying, type CloudApp, openCloudApp, until, wordAt } from '../../releases/testing.ts'
import { type Fault, FaultProxy } from '../../testing/providers/fault-proxy.ts'
import { leaves } from '../../testing/effects.ts'

type Project = Awaited<ReturnType<CloudApp['personWithProject']>>

const PRODUCT_OF = { render: '/browser-rendering/', video: '/stream/storage-usage' }

describe('products that a cloud account may not have', () => {
  const proxy = new FaultProxy()
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  afterEach(() => {
    proxy.decide = null
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  /**
   * Makes every request that checks for the capability's Cloudflare product fail. Returns a function that counts
   * these requests.
   */
  function failProduct(key: keyof typeof PRODUCT_OF, fault: Fault): () => number {
    let asked = 0
    proxy.decide = ({ path }) => (path.includes(PRODUCT_OF[key]) && ++asked > 0 ? fault : null)
    return () => asked
  }
  const provisionOf = async ({ person, path }: Project, key: string) =>
    (
      await person.call<{ provision: { state: string; error: { code: string; message: string } | null } }>(
        `GET ${path}/capabilities/${key}`,
      )
    ).data.provision
  const untilState = (of: Project, key: string, state: string) =>
    until(async () => (await provisionOf(of, key)).state === state)
  async function switchOn({ person, path }: Project, keys: string[]): Promise<void> {
    for (const key of keys)
      assert.equal((await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })).status, 200)
  }
  async function bindingsOf({ person, project }: Project, ending: string): Promise<string[]> {
    const account = await cloud.accountOf(person.organizationId)
    const bound = (await readBindings(account, `${project.slug}${ending}`)) ?? []
    return bound.filter(({ type }) => type !== 'plain_text' && type !== 'secret_text').map(({ name }) => name)
  }
  const bindings = async (of: Project) => ({
    app: (await bindingsOf(of, '')).toSorted(),
    admin: (await bindingsOf(of, '-admin')).toSorted(),
  })
  async function ship({ person, path }: Project): Promise<string> {
    const { data, error } = await person.call<{ url: string; state: string }>(`POST ${path}/deploy`)
    assert.deepEqual([error, data.state], [undefined, 'live'])
    return data.url
  }
  const failedIn = async ({ person, path }: Project) =>
    (
      await person.call<{ readiness: { failed: { key: string; reason: string }[] } }>(
        `GET ${path}/deploy/readiness`,
      )
    ).data.readiness.failed

  const WITHOUT = { app: ['ASSETS', 'LIVE'], admin: ['LIVE'] }
  const WITH = { app: ['ASSETS', 'BROWSER', 'LIVE'], admin: ['BROWSER', 'LIVE', 'RENDERS'] }

  test('an app is deployed without the Browser Rendering binding until its account has the product', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 2,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 2, provision: 'any' },
    })
    const one = await cloud.personWithProject()
    failProduct('render', 'answer 403')
    await switchOn(one, ['data', 'render'])
    await untilState(one, 'render', 'error')
    await cloud.build(one.project.id, appSaying('one'))
    assert.equal(await wordAt(await ship(one)), 'one')
    assert.deepEqual(await bindings(one), WITHOUT)
    const [failed, ...others] = await failedIn(one)
    assert.deepEqual([failed?.key, others], ['render', []])
    assert.match(
      failed?.reason ?? '',
      /^The connection to the cloud account has no permission to check whether the account has Browser Rendering/,
    )

    proxy.decide = null
    await ship(one)
    assert.deepEqual([await bindings(one), await failedIn(one)], [WITH, []])
  })

  test("after the account has lost Browser Rendering, a deployment removes only this product's bindings and reports an error", async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 3,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 3, provision: 'any' },
    })
    const one = await cloud.personWithProject()
    await switchOn(one, ['data', 'render'])
    await cloud.build(one.project.id, appSaying('one'))
    await ship(one)
    assert.deepEqual(await bindings(one), WITH)
    const asked = failProduct('render', 'answer 403')
    await ship(one)
    assert.deepEqual([asked(), await bindings(one)], [0, WITH], 'seen a moment ago')
    cloud.app.clock.advance(61_000)
    await ship(one)
    const { state, error } = await provisionOf(one, 'render')
    assert.deepEqual([await bindings(one), state, error?.code], [WITHOUT, 'error', 'missing_scope'])
    assert.equal((await provisionOf(one, 'data')).state, 'idle')
  })

  test('a deployment keeps the Browser Rendering binding while Cloudflare does not respond to the check for that product', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 2,
        'worker.address': 2,
        'worker.deploy': 1,
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 2, provision: 'any' },
    })
    const one = await cloud.personWithProject()
    await switchOn(one, ['render'])
    await cloud.build(one.project.id, appSaying('one'))
    await ship(one)
    cloud.app.clock.advance(61_000)
    const asked = failProduct('render', 'answer 500')
    await cloud.build(one.project.id, appSaying('two'))
    assert.equal(await wordAt(await ship(one)), 'two')
    assert.ok(asked() > 0)
    assert.deepEqual([await bindings(one), (await provisionOf(one, 'render')).state], [WITH, 'idle'])
  })

  test('previews and binding updates leave out the Browser Rendering binding while the account lacks that product', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'bucket.create': 2,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.rebind': 'any',
        'worker.upload': 'some',
      },
      jobs: { deploy: 2, provision: 'any' },
    })
    const one = await cloud.personWithProject()
    failProduct('render', 'answer 403')
    await switchOn(one, ['data', 'files', 'render'])
    await untilState(one, 'render', 'error')
    await untilState(one, 'files', 'idle')
    await cloud.build(one.project.id, appSaying('one'))
    const { data } = await one.person.call<{ previewUrl: string }>(`POST ${one.path}/preview`, {})
    assert.equal(await wordAt(data.previewUrl), 'one')
    await ship(one)
    await one.person.call(`PUT ${one.path}/capabilities/files`, { enabled: false })
    // The preview's worker gets its bindings after the live app's worker, so wait for the preview.
    await until(async () => (await bindingsOf(one, '-preview')).length < 4)
    for (const ending of ['', '-preview'])
      assert.deepEqual((await bindingsOf(one, ending)).toSorted(), ['ASSETS', 'LIVE'], ending)
  })

  test('the Durable Objects worker is bound to Cloudflare Stream only once the account confirms that it has Stream', async () => {
    leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { provision: 'some' } })
    const one = await cloud.personWithProject()
    failProduct('video', 'answer 500')
    await switchOn(one, ['video', 'data'])
    await untilState(one, 'data', 'idle')
    assert.deepEqual(
      [(await provisionOf(one, 'video')).state, await bindingsOf(one, '-live')],
      ['creating', ['OBJECTS']],
    )
    proxy.decide = null
    await untilState(one, 'video', 'idle')
    assert.deepEqual((await bindingsOf(one, '-live')).toSorted(), ['OBJECTS', 'STREAM'])
  })

  test('while Cloudflare Stream does not respond, changed video settings are applied and the binding to Stream is kept', async () => {
    leaves({ activity: { 'worker.address': 1, 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const one = await cloud.personWithProject()
    await switchOn(one, ['video'])
    await untilState(one, 'video', 'idle')
    failProduct('video', 'answer 500')
    const settings = { monthly: 200 }
    await one.person.call(`PUT ${one.path}/capabilities/video`, { enabled: true, settings })
    const account = await cloud.accountOf(one.person.organizationId)
    const live = () => readBindings(account, `${one.project.slug}-live`)
    const hasSettings = ({ name, text }: { name: string; text?: string | undefined }) =>
      name === 'VIDEO' && text?.includes('"monthly":200') === true
    await until(async () => (await live())?.some(hasSettings) === true)
    assert.deepEqual((await bindingsOf(one, '-live')).toSorted(), ['OBJECTS', 'STREAM'])
    assert.equal((await provisionOf(one, 'video')).state, 'creating')
    proxy.decide = null
    await untilState(one, 'video', 'idle')
  })

  test('the Durable Objects worker keeps its binding to Cloudflare Stream until the account clearly refuses Stream', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 2,
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 'any' },
    })
    const one = await cloud.personWithProject()
    await switchOn(one, ['video'])
    await untilState(one, 'video', 'idle')
    const asked = failProduct('video', 'answer 500')
    await switchOn(one, ['data'])
    await until(() => Promise.resolve(asked() > 0))
    assert.deepEqual((await bindingsOf(one, '-live')).toSorted(), ['OBJECTS', 'STREAM'])
    failProduct('video', 'answer 403')
    await untilState(one, 'data', 'idle')
    await cloud.build(one.project.id, appSaying('one'))
    await ship(one)
    assert.deepEqual(await bindingsOf(one, '-live'), ['OBJECTS'])
    assert.equal((await provisionOf(one, 'video')).error?.code, 'missing_scope')
  })
})
