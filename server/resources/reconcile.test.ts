import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { disableAddress } from '../cloudflare/products/workers.ts'
import { insertDeployment } from '../deployments/store.ts'
import { changeProject, findProject } from '../projects/store.ts'
import { FaultProxy } from '../testing/providers/fault-proxy.ts'
import { type CloudApp, openCloudApp, wordAt } from '../releases/testing.ts'
import { leaves } from '../testing/effects.ts'
import {
  deleteBehind,
  deploymentsOf,
  namesOf,
  reconcile,
  shipWord,
  switchOn,
  uploadBehind,
  workerOf,
} from './testing.ts'

const proxy = new FaultProxy()
let cloud: CloudApp

describe('reconciling', () => {
  before(async () => {
    cloud = await openCloudApp((api) => proxy.listen(api))
  })
  after(async () => {
    await cloud.close()
    await proxy.close()
  })

  test('resources deleted by hand are shown as missing within a minute, and reconciling the project creates them again without data', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 3,
        'resource.recreated': 1,
        'worker.address': 7,
        'worker.delete': 3,
        'worker.deploy failed': 2,
        'worker.upload': 'some',
        'worker.version failed': 2,
      },
      jobs: { deploy: 5, provision: 'some' },
    })
    const made = await cloud.personWithProject()
    await switchOn(made)
    const { url } = await shipWord(cloud, made, 'one')
    await made.person.call(`POST ${made.path}/preview`, {})
    const { slug } = made.project
    assert.deepEqual(await reconcile(made), { checked: 5, repaired: [], failed: [] })
    for (const name of [slug, `${slug}-preview`, `${slug}-live`]) await deleteBehind(cloud, made, name)
    cloud.app.clock.advance(61_000)
    const statuses = new Map((await deploymentsOf(made)).managed.map(({ name, status }) => [name, status]))
    assert.equal(statuses.get(slug), 'missing')
    assert.equal(statuses.get(`${slug}-admin`), 'ok')
    const { repaired, failed } = await reconcile(made)
    assert.deepEqual(failed, [])
    assert.deepEqual(namesOf(repaired), [
      `object_namespace ${slug}-live: made empty`,
      `worker ${slug}-live: made`,
      `worker ${slug}-preview: made`,
      `worker ${slug}: made`,
    ])
    assert.equal(await wordAt(url), 'one')
    assert.ok((await deploymentsOf(made)).managed.every(({ status }) => status === 'ok'))
    const { data } = await made.person.call<{ items: { action: string; detail: string }[] }>(
      `GET /activity?projectId=${made.project.id}`,
    )
    assert.match(
      data.items.find(({ action }) => action === 'resource.recreated')?.detail ?? '',
      /is empty now/,
    )
    assert.deepEqual((await reconcile(made)).repaired, [])
  })

  test('reconciling restores an app that was changed by hand or whose public URL was disabled', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 2,
        'worker.address': 3,
        'worker.deploy': 1,
        'worker.offline': 1,
        'worker.upload': 2,
      },
      jobs: { deploy: 3 },
    })
    const made = await cloud.personWithProject()
    const { url } = await shipWord(cloud, made, 'one')
    const { slug } = made.project
    await disableAddress(await cloud.accountOf(made.person.organizationId), slug)
    assert.equal((await cloudFetch(`${url}/api/word`)).status, 404)
    assert.deepEqual(namesOf((await reconcile(made)).repaired), [`worker ${slug}: put back`])
    assert.equal(await wordAt(url), 'one')
    await uploadBehind(cloud, made, slug)
    cloud.app.clock.advance(61_000)
    assert.equal((await workerOf(made, slug)).status, 'drifted')
    assert.deepEqual(namesOf((await reconcile(made)).repaired), [`worker ${slug}: put back`])
    assert.equal(await wordAt(url), 'one')
  })

  test('reconciling updates due bindings while a preview is queued behind it, without waiting for that preview', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 1,
        'worker.address': 1,
        'worker.rebind': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 2 },
    })
    const made = await cloud.personWithProject()
    const { sha } = await shipWord(cloud, made, 'one')
    const { db, clock } = cloud.app.platform
    const key = { orgId: made.person.organizationId, projectId: made.project.id }
    // The job of this preview is never sent, so the preview stays queued.
    await insertDeployment(db, { ...key, tier: 'preview', sha, actor: 'test', at: clock.now() })
    await changeProject(db, key, { rebind_due: true })
    // A request returns an error after a minute, so a reconciliation that waits for the preview fails here.
    assert.deepEqual((await reconcile(made)).failed, [])
    assert.equal((await findProject(db, key))?.rebind_due, false)
  })

  test("reconciling registers an unregistered Worker that has the project's tag, and removes a Worker with a former name", async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 1,
        'worker.address': 3,
        'worker.delete': 1,
        'worker.upload': 3,
      },
      jobs: { deploy: 2 },
    })
    const made = await cloud.personWithProject()
    const { url } = await shipWord(cloud, made, 'one')
    const { slug, id } = made.project
    await cloud.app.platform.db
      .deleteFrom('resources')
      .where('org_id', '=', made.person.organizationId)
      .execute()
    await uploadBehind(cloud, made, `${slug}-old-live`, [id])
    const { repaired, failed } = await reconcile(made)
    assert.deepEqual(failed, [])
    assert.deepEqual(namesOf(repaired), [`worker ${slug}-old-live: removed`, `worker ${slug}: adopted`])
    assert.equal(await wordAt(url), 'one')
  })

  test('a repair that Cloudflare refuses during reconciliation is listed with its reason, and the other repairs are made', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'project.reconciled': 1,
        'project.reconciled failed': 1,
        'worker.address': 6,
        'worker.delete': 2,
        'worker.deploy failed': 3,
        'worker.upload': 4,
        'worker.upload failed': 1,
        'worker.version failed': 3,
      },
      jobs: { deploy: 4 },
    })
    const made = await cloud.personWithProject()
    await shipWord(cloud, made, 'one')
    await made.person.call(`POST ${made.path}/preview`, {})
    const { slug } = made.project
    for (const name of [slug, `${slug}-preview`]) await deleteBehind(cloud, made, name)
    proxy.arm('PUT', new RegExp(`/scripts/${slug}-preview$`), 'answer 500', 100)
    const first = await reconcile(made)
    proxy.disarm()
    assert.deepEqual(namesOf(first.repaired), [`worker ${slug}: made`])
    assert.deepEqual(
      first.failed.map(({ id }) => id),
      [(await workerOf(made, `${slug}-preview`)).id],
    )
    assert.match(first.failed[0]?.reason ?? '', /could not upload/)
    assert.deepEqual(namesOf((await reconcile(made)).repaired), [`worker ${slug}-preview: made`])
  })

  test('resources are still listed with their last known status while the cloud account responds with errors', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 1,
        'worker.upload': 1,
      },
      jobs: { deploy: 1 },
    })
    const made = await cloud.personWithProject()
    await shipWord(cloud, made, 'one')
    cloud.app.clock.advance(61_000)
    proxy.arm('GET', /\/deployments$/, 'answer 500', 100)
    assert.equal((await workerOf(made, made.project.slug)).status, 'ok')
    proxy.disarm()
  })
})
