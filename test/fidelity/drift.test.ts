import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Cloudflare } from 'cloudflare'
import { capabilityOf } from '../../server/capability-catalog/catalog.ts'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import {
  type CloudApp,
  type DeployState,
  openCloudApp,
  until,
  wordAt,
} from '../../server/releases/testing.ts'
import { appUsing } from '../../server/testing/apps/everything-app.ts'
import { type WranglerTarget, wrangler } from './wrangler.ts'

type Made = Awaited<ReturnType<CloudApp['personWithProject']>>
interface Reconciled {
  repaired: { kind: string; name: string; action: string }[]
  failed: { reason: string }[]
}

/** The tests delete resources with the provider's own tools, as a person could do by mistake. */
describe('resources deleted outside Slipway are restored', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-drift-'))
  let cloud: CloudApp
  let made: Made
  let reach: WranglerTarget
  let url = ''
  before(async () => {
    cloud = await openCloudApp()
    made = await cloud.personWithProject()
    const { person, project, path } = made
    for (const key of CAPABILITY_KEYS) await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    await until(async () => {
      const { data } = await person.call<{ provision: { state: string } }>(`GET ${path}`)
      return data.provision.state === 'idle'
    })
    await cloud.build(project.id, appUsing(CAPABILITY_KEYS, 'one'))
    url = (await person.call<DeployState>(`POST ${path}/deploy`)).data.url ?? ''
    await person.call(`POST ${path}/preview`, {})
    const upload = { path: 'note.txt', contentType: 'text/plain', size: 2 }
    const asked = await person.call(`POST ${path}/assets/upload-init`, upload)
    assert.equal(asked.status, 200, String(asked.error?.message))
    const { account_id: accountId, credential } = await cloud.app.platform.accounts.requireCloud(
      person.organizationId,
    )
    const token = await credential().token()
    reach = { dir, restUrl: cloud.world.restUrl, account: { id: accountId, subdomain: '', token } }
  })
  after(async () => {
    await cloud.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const reconcileProject = async () => {
    const { status, data, error } = await made.person.call<Reconciled>(`POST ${made.path}/reconcile`)
    assert.equal(status, 200, String(error?.message))
    assert.deepEqual(data.failed, [])
    return data.repaired.map(({ kind, name, action }) => `${kind} ${name}: ${action}`).sort()
  }

  /** Returns the names of the resources that the capabilities declare, by kind. Omits workers, because some belong to no capability. */
  const declaredNamesOf = (slug: string): Map<string, Set<string>> => {
    const names = new Map<string, Set<string>>()
    for (const key of CAPABILITY_KEYS)
      for (const { kind, name } of capabilityOf(key).resources({ slug }))
        if (kind !== 'worker') names.set(kind, (names.get(kind) ?? new Set()).add(name))
    return names
  }

  /**
   * Deletes widgets, media apps, TURN keys and AI gateways with the SDK, because wrangler has no commands for
   * them.
   */
  async function removeOthers(): Promise<void> {
    const { account_id: accountId, credential } = await cloud.app.platform.accounts.requireCloud(
      made.person.organizationId,
    )
    const client = new Cloudflare({
      apiToken: await credential().token(),
      baseURL: cloud.app.config.cloudflare.api,
    })
    const account = { account_id: accountId }
    for await (const { sitekey } of client.turnstile.widgets.list(account))
      await client.turnstile.widgets.delete(sitekey, account)
    for await (const { uid = '' } of client.calls.sfu.list(account))
      await client.calls.sfu.delete(uid, account)
    for await (const { uid = '' } of client.calls.turn.list(account))
      await client.calls.turn.delete(uid, account)
    for await (const { id } of client.aiGateway.list(account)) await client.aiGateway.delete(id, account)
  }

  test('reconciling restores every deleted worker, bucket, queue, widget, key and gateway of all capabilities', async () => {
    assert.deepEqual(await reconcileProject(), [])
    const { slug } = made.project
    const listManaged = async () => {
      const { data } = await made.person.call<{ managed: { kind: string; name: string; status: string }[] }>(
        `GET ${made.path}/deployments`,
      )
      return data.managed
    }
    const managed = await listManaged()
    const namesOfKind = (kind: string) => managed.filter((one) => one.kind === kind).map(({ name }) => name)
    const [workers, buckets, queues] = [namesOfKind('worker'), namesOfKind('bucket'), namesOfKind('queue')]
    assert.equal(workers.length, 5)
    for (const [kind, names] of declaredNamesOf(slug))
      assert.deepEqual(namesOfKind(kind).sort(), [...names].sort(), kind)
    const removeWithWrangler = async (...args: string[]) => {
      const { code, output } = await wrangler(reach, dir, ...args)
      assert.equal(code, 0, output)
    }
    for (const name of workers) await removeWithWrangler('delete', '--name', name, '--force')
    for (const name of buckets) await removeWithWrangler('r2', 'bucket', 'delete', name)
    for (const name of queues) await removeWithWrangler('queues', 'delete', name)
    // The local cloud deletes a workflow together with the worker that runs it.
    const workflows = namesOfKind('workflow')
    const widgets = namesOfKind('widget')
    const [apps, keys] = [namesOfKind('sfu_app'), namesOfKind('turn_key')]
    const gateways = namesOfKind('ai_gateway')
    await removeOthers()
    cloud.app.clock.advance(61_000)
    assert.deepEqual(
      (await listManaged()).filter(({ status }) => status !== 'missing'),
      [],
    )
    assert.deepEqual(
      await reconcileProject(),
      [
        ...gateways.map((name) => `ai_gateway ${name}: made`),
        ...buckets.map((name) => `bucket ${name}: made empty`),
        ...queues.map((name) => `queue ${name}: made empty`),
        `object_namespace ${slug}-live: made empty`,
        ...widgets.map((name) => `widget ${name}: made`),
        ...apps.map((name) => `sfu_app ${name}: made`),
        ...keys.map((name) => `turn_key ${name}: made`),
        ...workers.map((name) => `worker ${name}: made`),
        ...workflows.map((name) => `workflow ${name}: made empty`),
      ].sort(),
    )
    assert.equal(await wordAt(url), 'one')
    assert.deepEqual(await reconcileProject(), [])
  })

  test('deleting a bucket through the service returns the number and size of the deleted files', async () => {
    const { person, path, project } = made
    const name = `${project.slug}-assets`
    const { account_id: accountId, credential } = await cloud.app.platform.accounts.requireCloud(
      person.organizationId,
    )
    const objects = `${cloud.app.config.cloudflare.api}/accounts/${accountId}/r2/buckets/${name}/objects`
    const headers = { authorization: `Bearer ${await credential().token()}` }
    const put = await fetch(`${objects}/note.txt`, { method: 'PUT', headers, body: 'hello' })
    assert.equal(put.status, 200)
    const { data } = await person.call<{ managed: { id: string; kind: string; name: string }[] }>(
      `GET ${path}/deployments`,
    )
    const bucket = data.managed.find((one) => one.kind === 'bucket' && one.name === name)
    const removed = await person.call<{ data: string }>(`DELETE ${path}/resources/${bucket?.id}`)
    assert.equal(removed.data.data, '1 file, 5 bytes')
  })
})
