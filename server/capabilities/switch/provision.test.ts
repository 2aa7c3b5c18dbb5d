import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ensureBucket } from '../../cloudflare/products/r2.ts'
import { transact } from '../../db/database.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { provisionKind } from '../../capability-state/provision-kind.ts'
import { enableCapability } from '../save.ts'
import { provisionJob } from './provision.ts'
import { leaves } from '../../testing/effects.ts'

interface Read {
  enabled: boolean
  provision: { state: string; error: { code: string; message: string } | null }
  resource: { kind: string; name: string } | null
}

describe('provisioning', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  /** Creates a project, enables the data capability and waits until provisioning has ended. */
  async function provision(name: string) {
    const { person, project, path } = await cloud.personWithProject(name)
    const put = await person.call<Read>(`PUT ${path}/capabilities/data`, { enabled: true })
    assert.equal(put.data.provision.state, 'creating')
    const read = async () => (await person.call<Read>(`GET ${path}/capabilities/data`)).data
    await until(async () => (await read()).provision.state !== 'creating')
    const { data } = await person.call<{ managed: { kind: string; name: string; status: string }[] }>(
      `GET ${path}/deployments`,
    )
    return { person, path, projectId: project.id, settled: await read(), managed: data.managed }
  }

  for (const fault of ['fail-429', 'fail-500', 'fail-drop']) {
    test(`exactly one Durable Object namespace is created even if the first request to create it fails with ${fault}`, async () => {
      leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
      const { settled, managed } = await provision(`app ${fault}`)
      assert.deepEqual(settled.provision, { state: 'idle', error: null })
      assert.deepEqual(managed.map((one) => `${one.kind} ${one.name} ${one.status}`).toSorted(), [
        `object_namespace app-${fault}-live ok`,
        `worker app-${fault}-admin ok`,
        `worker app-${fault}-live ok`,
      ])
    })
  }

  test('a capability whose resource Cloudflare refuses gets an error that says what to do, and enabling it again retries', async () => {
    leaves({ activity: { 'worker.upload failed': 'some' }, jobs: { provision: 'any' } })
    const { person, path, settled } = await provision('app fail-403')
    assert.equal(settled.enabled, true)
    assert.equal(settled.provision.state, 'error')
    assert.equal(settled.provision.error?.code, 'missing_scope')
    assert.match(settled.provision.error?.message ?? '', /connect it again/)
    const shown = await person.call<{ provision: { state: string; error: string } }>(`GET ${path}`)
    assert.deepEqual(shown.data.provision.state, 'error')
    const ready = await person.call<{ readiness: { ready: boolean; failed: { key: string }[] } }>(
      `GET ${path}/deploy/readiness`,
    )
    assert.deepEqual([ready.data.readiness.ready, ready.data.readiness.failed[0]?.key], [false, 'data'])
    const again = await person.call<Read>(`PUT ${path}/capabilities/data`, { enabled: true })
    assert.deepEqual(again.data.provision, { state: 'creating', error: null })
  })

  test('a capability that was switched off while it was being created has no error, even if its creation fails', async () => {
    leaves({ activity: { 'worker.upload failed': 2 }, jobs: { provision: 1 } })
    const { person, path, projectId } = await provision('off fail-403')
    const { platform } = cloud.app
    // As after a request that disables the capability during its creation.
    await platform.db
      .updateTable('capabilities')
      .set({ enabled: false, state: 'creating', error: null })
      .where('project_id', '=', projectId)
      .execute()
    await provisionJob.run(platform, {
      data: { orgId: person.organizationId, projectId, actor: 'test' },
      attempt: 1,
      signal: new AbortController().signal,
    })
    for (const read of [`GET ${path}/capabilities/data`, `GET ${path}`])
      assert.deepEqual((await person.call<Read>(read)).data.provision, { state: 'idle', error: null })
  })

  test('a provisioning job that has failed for good leaves a capability that was switched on again to the job of that change', async () => {
    leaves({
      activity: { 'bucket.create': 2, 'worker.address': 2, 'worker.upload': 4 },
      jobs: { provision: 2 },
    })
    const { person, path, projectId } = await provision('again')
    await cloud.untilProvisioned(projectId)
    const { platform } = cloud.app
    const failed = { orgId: person.organizationId, projectId, actor: 'test' }
    // A failed job blocks later jobs of the project until it is settled, which happens once a minute.
    await transact(platform.db, async (trx) => {
      await platform.jobs.send(trx, provisionKind, failed)
      await sql`update pgboss.job set state = 'failed' where name = 'provision' and singleton_key = ${projectId} and state = 'created'`.execute(
        trx,
      )
    })
    await person.call(`PUT ${path}/capabilities/files`, { enabled: true })
    await provisionJob.abandon?.(platform, failed)
    await sql`delete from pgboss.job where name = 'provision' and singleton_key = ${projectId} and state = 'failed'`.execute(
      platform.db,
    )
    await cloud.untilProvisioned(projectId)
    const { data } = await person.call<Read>(`GET ${path}/capabilities/files`)
    assert.deepEqual(data.provision, { state: 'idle', error: null })
  })

  test('every change that provisioning makes in the Cloudflare account is in the activity log with its actor', async () => {
    leaves({ activity: { 'worker.address': 'some', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const { person } = await provision('logged')
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['provider', 'actor', 'action', 'target', 'status', 'project_name'])
      .where('org_id', '=', person.organizationId)
      .where('action', '=', 'worker.upload')
      .orderBy('target')
      .execute()
    const upload = {
      provider: 'cloudflare',
      actor: person.email,
      action: 'worker.upload',
      status: 'ok',
      project_name: 'logged',
    }
    assert.deepEqual(rows, [
      { ...upload, target: 'logged-admin' },
      { ...upload, target: 'logged-live' },
    ])
  })

  async function changesOf(projectId: string): Promise<string[]> {
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'status'])
      .where('project_id', '=', projectId)
      .where('provider', '=', 'cloudflare')
      .orderBy('id')
      .execute()
    return rows.map(({ action, target, status }) => `${action} ${target} ${status}`)
  }

  test('capabilities that are enabled together create each shared resource once', async () => {
    leaves({
      activity: { 'bucket.create': 'some', 'worker.address': 'some', 'worker.upload': 'some' },
      jobs: { provision: 'any' },
    })
    const { person, project, path } = await cloud.personWithProject('Together')
    const { platform } = cloud.app
    const owner = { id: project.id, org_id: person.organizationId, slug: project.slug }
    await transact(platform.db, async (trx) => {
      for (const key of ['data', 'files', 'schedule'] as const)
        await enableCapability(platform, trx, owner, { declared: capabilityOf(key), actor: 'test' })
      const { rows } = await sql<{ jobs: number }>`select count(*)::int as jobs from pgboss.job
        where name = 'provision' and singleton_key = ${project.id}`.execute(trx)
      assert.deepEqual(rows, [{ jobs: 1 }])
    })
    for (const key of ['data', 'files', 'schedule'])
      await until(async () => {
        const { data } = await person.call<Read>(`GET ${path}/capabilities/${key}`)
        return data.provision.state === 'idle'
      })
    assert.deepEqual((await changesOf(project.id)).toSorted(), [
      'bucket.create together-files ok',
      'bucket.create together-files-pv ok',
      'worker.address together-admin ok',
      'worker.upload together-admin ok',
      'worker.upload together-live ok',
    ])
  })

  test('a capability whose resource cannot be created does not prevent other capabilities from being provisioned', async () => {
    leaves({
      activity: { 'bucket.create': 'some', 'worker.address': 'some', 'worker.upload': 'some' },
      jobs: { provision: 'any' },
    })
    const { person, project, path } = await cloud.personWithProject('Apart')
    const { platform } = cloud.app
    const account = await platform.accounts.openCloud({
      orgId: person.organizationId,
      actor: 'somebody else',
    })
    await ensureBucket(account, `${project.slug}-files`)
    for (const key of ['files', 'data'])
      await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    const read = async (key: string) =>
      (await person.call<Read>(`GET ${path}/capabilities/${key}`)).data.provision
    for (const key of ['files', 'data']) await until(async () => (await read(key)).state !== 'creating')
    assert.deepEqual(await read('data'), { state: 'idle', error: null })
    const files = await read('files')
    assert.deepEqual([files.state, files.error?.code], ['error', 'name_taken'])
    assert.match(files.error?.message ?? '', /apart-files/)
  })
})
