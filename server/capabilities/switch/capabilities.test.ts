import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storeCloudAccount } from '../../testing/cloud-account.ts'
import { eventsOf, type TestApp, testApp } from '../../testing/app.ts'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { leaves } from '../../testing/effects.ts'

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
