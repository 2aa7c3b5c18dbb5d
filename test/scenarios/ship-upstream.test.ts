import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  appSaying,
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  watchApp,
} from '../../server/releases/testing.ts'
import { times } from '../support/soak.ts'

/**
 * Shipping an app makes several API calls to the cloud. The tests ship once for every second call and make that
 * call fail; with `--soak`, once for every call.
 */
const STEP = times(2, 1)

type Made = Awaited<ReturnType<CloudApp['personWithProject']>>
type ResponseOverride = { status: number } | { commitThenDrop: true }

describe('shipping while calls to the cloud fail', () => {
  let cloud: CloudApp
  let made: Made
  let account = ''
  before(async () => {
    cloud = await openCloudApp()
    made = await cloud.personWithProject()
    account = (await cloud.accountOf(made.person.organizationId)).accountId
    await switchOn()
  })
  after(() => cloud.close())

  const controlCloud = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${cloud.world.restUrl}/_control${path}`, {
      method,
      headers: { authorization: `Bearer ${cloud.world.controlToken}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as T
  }

  async function switchOn(): Promise<void> {
    const { person, path } = made
    await person.call(`PUT ${path}/capabilities/data`, { enabled: true })
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/data`)
      return data.provision.state === 'idle'
    })
  }

  const shipProject = () => made.person.call<DeployState>(`POST ${made.path}/deploy`)

  /** Ships the project while the k-th call to the cloud fails. `isHit` is false when there were fewer than k calls. */
  async function shipWithFault(k: number, wish: ResponseOverride) {
    await controlCloud('POST', '/faults', { match: { provider: 'cloudflare', account, nth: k }, do: wish })
    const shipped = await shipProject()
    const { faults } = await controlCloud<{ faults: { hits: number }[] }>('GET', '/faults')
    await controlCloud('DELETE', '/faults')
    return { shipped, isHit: faults[0]?.hits === 1 }
  }

  /** Asserts that the cloud account contains exactly the resources that the service has stored for this project. */
  async function requireEqual(about: string): Promise<void> {
    const { data } = await made.person.call<{ managed: { kind: string; name: string; status: string }[] }>(
      `GET ${made.path}/deployments`,
    )
    const held = await controlCloud<{
      workers: { name: string }[]
      namespaces: { script: string }[]
      buckets: { name: string }[]
    }>('GET', `/resources?account=${account}`)
    const inAccount = [
      ...held.workers.map(({ name }) => `worker ${name}`),
      ...held.namespaces.map(({ script }) => `object_namespace ${script}`),
      ...held.buckets.map(({ name }) => `bucket ${name}`),
    ]
    assert.deepEqual(data.managed.map(({ kind, name }) => `${kind} ${name}`).sort(), inAccount.sort(), about)
    assert.ok(
      data.managed.every(({ status }) => status === 'ok'),
      about,
    )
  }

  async function requireNothingToRepair(about: string): Promise<void> {
    const { data } = await made.person.call<{ repaired: object[]; failed: object[] }>(
      `POST ${made.path}/reconcile`,
    )
    assert.deepEqual([data.repaired, data.failed], [[], []], about)
  }

  test("when a cloud call of an app's first release is refused, the error says why, and a retry creates all resources", async () => {
    let calls = 0
    for (let k = 1; ; k += STEP) {
      await cloud.build(made.project.id, appSaying('first'))
      const { shipped, isHit } = await shipWithFault(k, { status: 400 })
      if (!isHit) break
      calls++
      if (shipped.status !== 200) {
        assert.equal(shipped.error?.code, 'upstream_error', `call ${k}`)
        const { data } = await made.person.call<DeployState>(`GET ${made.path}/deploy`)
        assert.deepEqual([data.state, data.error], ['error', shipped.error?.message], `call ${k}`)
      }
      const again = await shipProject()
      assert.equal(again.data?.state, 'live', `call ${k}: ${again.error?.message}`)
      await requireEqual(`call ${k}`)
      const { data } = await made.person.call<{ managed: { id: string; name: string }[] }>(
        `GET ${made.path}/deployments`,
      )
      const worker = data.managed.find(({ name }) => name === made.project.slug)
      await made.person.call(`DELETE ${made.path}/resources/${worker?.id}`)
    }
    assert.ok(calls >= 3, `${calls} calls were broken`)
    assert.equal((await shipProject()).data.state, 'live')
  })

  for (const wish of [{ status: 400 }, { commitThenDrop: true as const }])
    test(`when a cloud call of a later release ${'status' in wish ? 'is refused' : 'loses its response'}, the old version serves until the new version does`, async () => {
      const { data: live } = await made.person.call<DeployState>(`GET ${made.path}/deploy`)
      const url = live.url ?? ''
      await cloud.build(made.project.id, appSaying('start'))
      await shipProject()
      let served = 'start'
      let calls = 0
      for (let k = 1; ; k += STEP) {
        const word = `${Object.keys(wish)[0]}-${k}`
        await cloud.build(made.project.id, appSaying(word))
        const watch = watchApp(url)
        const { shipped, isHit } = await shipWithFault(k, wish)
        const seen = await watch.stop()
        const failed = shipped.status !== 200
        assert.deepEqual(
          seen.filter((said) => said !== served && (failed || said !== word)),
          [],
          `call ${k}: ${shipped.error?.message}`,
        )
        if ('commitThenDrop' in wish) assert.equal(failed, false, `call ${k}: ${shipped.error?.message}`)
        if (failed) assert.equal((await shipProject()).data?.state, 'live', `call ${k}, again`)
        served = word
        await requireEqual(`call ${k}`)
        if (!isHit) break
        calls++
      }
      assert.ok(calls * STEP >= 4, `${calls} calls were broken`)
      await requireNothingToRepair('in the end')
    })

  test('deleting a project deletes all of its resources in the cloud account', async () => {
    for (;;) {
      const { data } = await made.person.call<{ teardown: { remaining: number } }>(`DELETE ${made.path}`)
      if (data.teardown.remaining === 0) break
    }
    const { zones, ...held } = await controlCloud<Record<string, unknown[]>>(
      'GET',
      `/resources?account=${account}`,
    )
    assert.ok(zones, 'zones belong to the owner')
    assert.deepEqual(Object.values(held).flat(), [])
  })
})
