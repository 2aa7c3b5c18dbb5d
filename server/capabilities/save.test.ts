import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { transact } from '../db/database.ts'
import { type Client, type TestApp, testApp } from '../testing/app.ts'
import type { Capability } from '../capability-declaration/capability.ts'
import { openAccounts } from '../connections/open-accounts.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { provisionPending } from './switch/provision.ts'
import { type CapabilityChange, type CapabilityOwner, saveCapabilities } from './save.ts'
import { saveTogether } from './switch/save-together.ts'
import { readSecretFlags } from '../capability-state/secrets.ts'
import { readSettings } from '../capability-state/settings.ts'
import { leaves } from '../testing/effects.ts'

describe('a change of a capability', () => {
  let app: TestApp
  let person: Client
  let project: CapabilityOwner

  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  async function newProject(): Promise<void> {
    person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    const { data } = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    project = { id: data.id, org_id: person.organizationId, slug: data.slug }
  }

  const save = (declared: Capability, change: CapabilityChange) =>
    transact(app.platform.db, async (trx) => {
      const changes = [{ declared, change: { ...change, actor: 'test' } }]
      const [alsoOff] = await saveCapabilities(app.platform, trx, project, changes)
      return alsoOff
    })
  const rows = () =>
    app.platform.db
      .selectFrom('capabilities')
      .select(['key', 'enabled', 'state', 'settings', 'generation'])
      .where('project_id', '=', project.id)
      .orderBy('key')
      .execute()
  const flags = (declared: Capability) =>
    readSecretFlags(app.platform.db, project, declared, readSettings(declared, undefined))
  test('enabling a capability also enables the capabilities that it depends on, with their stored settings, in one job', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    await person.call(`PUT /projects/${project.id}/capabilities/data`, {
      enabled: false,
      settings: { logDays: 3 },
    })
    await save(capabilityOf('hook'), { enabled: true })
    const [data, hook] = await rows()
    assert.deepEqual([data?.key, data?.enabled, data?.state], ['data', true, 'creating'])
    assert.partialDeepStrictEqual(JSON.parse(data?.settings ?? ''), { logDays: 3 })
    assert.deepEqual([hook?.key, hook?.enabled], ['hook', true])
    const jobs = await app.platform.pool.query(
      `select 1 from pgboss.job where name = 'provision' and singleton_key = $1`,
      [project.id],
    )
    assert.equal(jobs.rowCount, 1)
  })

  test('disabling a capability also disables the capabilities that depend on it and returns them, and marks bindings as outdated', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    await save(capabilityOf('hook'), { enabled: true })
    const off = await person.call<{ alsoOff: string[] }>(`PUT /projects/${project.id}/capabilities/data`, {
      enabled: false,
    })
    assert.deepEqual([off.status, off.data.alsoOff], [200, ['hook']], String(off.error?.message))
    assert.deepEqual(
      (await rows()).map(({ key, enabled }) => [key, enabled]),
      [
        ['data', false],
        ['hook', false],
      ],
    )
    const { rebind_due } = await app.platform.db
      .selectFrom('projects')
      .select('rebind_due')
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow()
    assert.equal(rebind_due, true)
  })

  test('secrets of a capability are stored encrypted, responses contain only whether each is set, and null removes a secret', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    const pay: Capability = { ...capabilityOf('pay'), dependsOn: () => [] }
    const secret = 'sk_live_canary0123456789'
    await save(pay, { enabled: true, secrets: { stripeKey: secret, unknown: 'x' } })
    assert.deepEqual(await flags(pay), { hasStripeKey: true, hasStripeTestKey: false })
    const { rows: stored } = await app.platform.pool.query<{ sealed: string }>(
      'select sealed from capability_secrets where project_id = $1',
      [project.id],
    )
    assert.equal(stored.length, 1)
    assert.ok(!stored[0]?.sealed.includes('canary'))
    const read = await person.raw(`GET /projects/${project.id}/capabilities/pay`)
    const text = await read.text()
    assert.ok(
      text.includes('"hasStripeKey":true') && !text.includes('canary') && !text.includes('sealed'),
      text,
    )
    await save(pay, { enabled: true, settings: { currency: 'eur' } })
    assert.deepEqual(await flags(pay), { hasStripeKey: true, hasStripeTestKey: false })
    await save(pay, { enabled: true, secrets: { stripeKey: null } })
    assert.deepEqual(await flags(pay), { hasStripeKey: false, hasStripeTestKey: false })
  })

  test("a malformed secret is refused with its field's name but not its value, and nothing is saved", async () => {
    leaves({ events: { 'project.created': 1 } })
    await newProject()
    const pay: Capability = { ...capabilityOf('pay'), dependsOn: () => [] }
    const change = { enabled: true, settings: { currency: 'eur' }, secrets: { stripeKey: 'canary' } }
    await assert.rejects(save(pay, change), (error: Error) => {
      assert.match(error.message, /^secrets\.stripeKey: must be a live key of Stripe/)
      return !error.message.includes('canary')
    })
    assert.deepEqual(await rows(), [])
  })

  const saveSoon = (declared: Capability, change: CapabilityChange) =>
    saveTogether(app.platform, project, { declared, change: { ...change, actor: 'test' } })

  test('capability changes that arrive while another change of the project is saved are committed together and in order', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    const keys = ['data', 'schedule', 'queue', 'events'] as const
    const [, , , , , off] = await Promise.all([
      ...keys.map((key) => saveSoon(capabilityOf(key), { enabled: true })),
      saveSoon(capabilityOf('hook'), { enabled: true }),
      saveSoon(capabilityOf('data'), { enabled: false }),
    ])
    assert.deepEqual(off, ['hook'])
    assert.deepEqual(
      (await rows()).map(({ key, enabled }) => [key, enabled]),
      [
        ['data', false],
        ['events', true],
        ['hook', false],
        ['queue', true],
        ['schedule', true],
      ],
    )
    const { rows: commits } = await app.platform.pool.query(
      'select distinct xmin::text from capabilities where project_id = $1',
      [project.id],
    )
    // The first change is committed alone and the others together. That second commit updates the first row again, so
    // all rows have its `xmin`.
    assert.equal(commits.length, 1)
  })

  test('a refused capability change does not fail simultaneous changes', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    const pay: Capability = { ...capabilityOf('pay'), dependsOn: () => [] }
    const [first, refused, last] = await Promise.allSettled([
      saveSoon(capabilityOf('data'), { enabled: true }),
      saveSoon(pay, { enabled: true, secrets: { stripeKey: 'canary' } }),
      saveSoon(capabilityOf('schedule'), { enabled: true }),
    ])
    assert.deepEqual([first?.status, refused?.status, last?.status], ['fulfilled', 'rejected', 'fulfilled'])
    assert.match(String(refused?.status === 'rejected' && refused.reason), /secrets\.stripeKey/)
    assert.deepEqual(
      (await rows()).map(({ key }) => key),
      ['data', 'schedule'],
    )
  })

  test('a provisioning job does not overwrite the state of a capability that was changed while the job ran', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    await newProject()
    await save(capabilityOf('data'), { enabled: true })
    let changed: Promise<unknown> | undefined
    // A server in place of Cloudflare's API. It refuses every request, and changes the settings before its first response. A second
    // request that arrives meanwhile waits for the same change.
    const account = createServer((_request, response) => {
      changed ??= save(capabilityOf('data'), { enabled: true, settings: { logDays: 2 } })
      void changed.then(() => {
        const errors = [{ code: 10000, message: 'Not allowed' }]
        response.writeHead(403, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ success: false, errors, messages: [], result: null }))
      })
    })
    account.listen(0, '127.0.0.1')
    await once(account, 'listening')
    const { port } = account.address() as AddressInfo
    const { config } = app.platform
    const cloudflare = { ...config.cloudflare, api: `http://127.0.0.1:${port}` }
    const accounts = openAccounts({ ...app.platform, config: { ...config, cloudflare } })
    const platform = { ...app.platform, accounts }
    const signal = AbortSignal.timeout(20_000)
    const work = { platform, project: { ...project, name: 'Plants' }, actor: 'test', signal }
    const provision = () => provisionPending(work, { repair: false })
    await provision()
    const outcome = async () => (await rows()).map(({ state, generation }) => [state, generation])
    assert.deepEqual(await outcome(), [['creating', 2]])
    await provision()
    assert.deepEqual(await outcome(), [['error', 2]])
    account.close()
  })
})
