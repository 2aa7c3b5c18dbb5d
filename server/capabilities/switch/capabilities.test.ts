import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storeCloudAccount } from '../../testing/cloud-account.ts'
import { eventsOf, type TestApp, testApp } from '../../testing/app.ts'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { leaves } from '../../testing/effects.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { readSettings } from '../../capability-state/settings.ts'
import { readLiveVariables } from '../../capability-state/variables.ts'
import { readLiveInAccount } from './in-account.ts'
import { listMissing } from './missing.ts'

interface Listed {
  key: string
  title: string
  enabled: boolean
  provision: { state: string; error: unknown }
}

describe('capabilities over the API', () => {
  let app: TestApp
  before(async () => {
    app = await testApp()
  })
  after(() => app.close())

  async function personWithProject(options: { cloud: boolean }) {
    const person = await app.signUp()
    if (options.cloud) await storeCloudAccount(app, person.organizationId)
    const project = await person.call<{ id: string; slug: string }>('POST /projects', { name: 'Plants' })
    return { person, project: project.data, path: `/projects/${project.data.id}/capabilities` }
  }

  const jobsOf = async (projectId: string) =>
    (
      await app.platform.pool.query(
        `select data from pgboss.job where name = 'provision' and singleton_key = $1`,
        [projectId],
      )
    ).rowCount

  test('a new project lists every capability as off', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { person, path } = await personWithProject({ cloud: false })
    const answer = await person.call<Listed[]>(`GET ${path}`)
    assert.deepEqual(
      answer.data.map((one) => one.key),
      CAPABILITY_KEYS,
    )
    assert.ok(answer.data.every((one) => !one.enabled && one.provision.state === 'idle'))
  })

  test('a request to enable a capability returns once the change is saved, before any Cloudflare resource is created', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const { person, project, path } = await personWithProject({ cloud: true })
    const put = await person.call<Listed>(`PUT ${path}/data`, { enabled: true, settings: { logDays: 3 } })
    assert.equal(put.status, 200)
    assert.deepEqual(
      [put.data.enabled, put.data.provision, (put.data as unknown as { settings: unknown }).settings],
      [true, { state: 'creating', error: null }, { logDays: 3, maxRecordKb: 128 }],
    )
    assert.equal(await jobsOf(project.id), 1)
    const shown = await person.call<{ provision: { state: string } }>(`GET /projects/${project.id}`)
    assert.equal(shown.data.provision.state, 'creating')
    assert.deepEqual(await eventsOf(app, person), ['project.created'])
  })

  test("settings in a request are merged into a capability's stored settings, and an error names the invalid setting", async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const { person, path } = await personWithProject({ cloud: true })
    await person.call(`PUT ${path}/data`, { enabled: true, settings: { logDays: 3 } })
    const put = await person.call<{ settings: unknown }>(`PUT ${path}/data`, {
      enabled: true,
      settings: { maxRecordKb: 64 },
    })
    assert.deepEqual(put.data.settings, { logDays: 3, maxRecordKb: 64 })
    const wrong = await person.call(`PUT ${path}/data`, { enabled: true, settings: { logDays: 99 } })
    assert.equal(wrong.status, 400)
    assert.match(wrong.error?.message ?? '', /^settings\.logDays: /)
  })

  /** Stores settings that no request could store in this version, as an earlier release may have. */
  const storeRaw = (projectId: string, key: string, settings: object) =>
    app.platform.pool.query('update capabilities set settings = $3 where project_id = $1 and key = $2', [
      projectId,
      key,
      JSON.stringify(settings),
    ])

  test('a stored setting above a lowered maximum is returned unchanged, listed as missing, and named when the next change is refused', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const { person, project, path } = await personWithProject({ cloud: true })
    await person.call(`PUT ${path}/data`, { enabled: true })
    await storeRaw(project.id, 'data', { logDays: 99, maxRecordKb: 64 })
    const read = await person.call<{ settings: unknown }>(`GET ${path}/data`)
    assert.deepEqual([read.status, read.data.settings], [200, { logDays: 99, maxRecordKb: 64 }])
    const own = { id: project.id, org_id: person.organizationId }
    assert.deepEqual(await listMissing(app.platform.db, own, null), [
      {
        key: 'data',
        reason:
          'Offline catch-up, days: logDays must be at most 30. Its default applies until it is set again.',
      },
    ])
    const other = await person.call(`PUT ${path}/data`, { enabled: true, settings: { maxRecordKb: 32 } })
    assert.deepEqual([other.status, other.error?.message], [400, 'settings.logDays: must be at most 30'])
    const mended = await person.call<{ settings: unknown }>(`PUT ${path}/data`, {
      enabled: true,
      settings: { logDays: 30 },
    })
    assert.deepEqual(mended.data.settings, { logDays: 30, maxRecordKb: 64 })
    assert.deepEqual(await listMissing(app.platform.db, own, null), [])
  })

  test('switching a capability off or on, even as a dependency, keeps a stored setting that is no longer accepted', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const { person, project, path } = await personWithProject({ cloud: true })
    await person.call(`PUT ${path}/data`, { enabled: true })
    await storeRaw(project.id, 'data', { logDays: 99, maxRecordKb: 64 })
    for (const [key, enabled] of [
      ['data', false],
      ['hook', true],
      ['data', false],
      ['data', true],
    ] as const) {
      const put = await person.call(`PUT ${path}/${key}`, { enabled })
      assert.equal(put.status, 200, `${key} ${put.error?.message}`)
    }
    const { rows } = await app.platform.pool.query<{ settings: string }>(
      `select settings from capabilities where project_id = $1 and key = 'data'`,
      [project.id],
    )
    assert.deepEqual(JSON.parse(rows[0]?.settings ?? ''), { logDays: 99, maxRecordKb: 64 })
  })

  test('a secret is refused while a stored setting is no longer accepted, because settings decide which secrets are kept', async () => {
    leaves({ events: { 'project.created': 1 }, jobs: { provision: 'any' } })
    const { person, project, path } = await personWithProject({ cloud: true })
    const oauth = [{ id: 'github', clientId: 'our-app' }]
    const secrets = { githubClientSecret: 'a secret' }
    await person.call(`PUT ${path}/auth`, { enabled: true, settings: { methods: { oauth } }, secrets })
    await storeRaw(project.id, 'auth', { methods: { oauth: [{ id: 'github', clientId: '' }] } })
    const put = await person.call(`PUT ${path}/auth`, { enabled: true, secrets })
    assert.equal(put.error?.message, 'settings.methods.oauth.0.clientId: must not be empty')
    await storeRaw(project.id, 'auth', { methods: { oauth } })
    const read = await person.call<{ hasGithubClientSecret: boolean }>(`GET ${path}/auth`)
    assert.equal(read.data.hasGithubClientSecret, true)
  })

  test('stored settings of any capability that are no longer accepted, or no longer exist, are replaced by defaults when used', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { person, project } = await personWithProject({ cloud: true })
    const own = { id: project.id, org_id: person.organizationId, slug: project.slug, name: 'Plants' }
    for (const key of CAPABILITY_KEYS) {
      const { settings } = capabilityOf(key)
      const fields = [...Object.keys(settings.shape), 'removed']
      const stored = JSON.stringify(Object.fromEntries(fields.map((name) => [name, [{ wrong: true }, 'x']])))
      assert.deepEqual(readSettings(capabilityOf(key), stored), settings.parse({}), key)
      await app.platform.db
        .insertInto('capabilities')
        .values({
          project_id: project.id,
          key,
          enabled: true,
          settings: stored,
          state: 'idle',
          error: null,
          generation: 1,
          created_at: new Date(),
        })
        .execute()
    }
    const inUse = { accountId: 'an account', enabled: new Set<string>(CAPABILITY_KEYS) }
    const { variables } = await readLiveInAccount(app.platform, own, inUse)
    assert.deepEqual(variables['AI_MODEL'], '')
    assert.equal((await readLiveVariables(app.platform.db, project.id))['DATA_LOG_DAYS'], '7')
  })

  test('enabling a capability without a cloud account saves nothing and names the missing connection', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { person, project, path } = await personWithProject({ cloud: false })
    const put = await person.call(`PUT ${path}/data`, { enabled: true })
    assert.deepEqual([put.status, put.error?.code], [409, 'conflict'])
    assert.match(put.error?.message ?? '', /Cloudflare/)
    const read = await person.call<Listed>(`GET ${path}/data`)
    assert.equal(read.data.enabled, false)
    assert.equal(await jobsOf(project.id), 0)
  })

  test('requests for an unknown capability or for a project of another organization get a 404', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { person, path } = await personWithProject({ cloud: true })
    assert.equal((await person.call(`GET ${path}/nothing`)).status, 404)
    assert.equal((await person.call(`PUT ${path}/nothing`, { enabled: true })).status, 404)
    const stranger = await app.signUp()
    assert.equal((await stranger.call(`GET ${path}/data`)).status, 404)
    assert.equal((await stranger.call(`PUT ${path}/data`, { enabled: true })).status, 404)
  })

  test('enabling a capability needs the scope projects:write', async () => {
    leaves({ events: { 'project.created': 1 } })
    const { person, path } = await personWithProject({ cloud: true })
    const key = await app.keyFor(person, ['projects:read'])
    assert.equal((await key.call(`PUT ${path}/data`, { enabled: true })).error?.code, 'forbidden_scope')
  })
})
