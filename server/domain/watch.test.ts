import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { memoryAccount, refusedCall } from '../cloudflare/testing.ts'
import { conflict } from '../http/errors.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { storeCloudAccount } from '../testing/cloud-account.ts'
import { leaves } from '../testing/effects.ts'
import { watchDomains } from './watch.ts'

const ZONE = { id: 'zone', name: 'plants.test', status: 'active', name_servers: [] }

/** An account in which the host name of this project is attached to its worker. */
function openAccount(project: string, certificate: 'active' | 'pending') {
  const hostname = `${project}.plants.test`
  return memoryAccount((call) => {
    if (call === 'GET /zones') return [ZONE]
    if (call === 'GET /accounts/:account/workers/domains')
      return [{ id: 'dom', hostname, service: project, cert_id: 'pack' }]
    return [{ id: 'pack', hosts: [hostname], status: certificate }]
  }).cloud
}

describe('the check of custom domains that are not active yet', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  beforeEach(() => app.platform.db.deleteFrom('domains').execute())
  after(() => app.close())

  /** Stores live projects whose host name is registered and not active. `state` is that of the registered host name. */
  async function storeProjects(ids: string[], orgId: string, state: 'creating' | 'ok'): Promise<void> {
    const { pool, clock } = app.platform
    const run = (sql: string, ...values: unknown[]) => pool.query(sql, [ids, orgId, clock.now(), ...values])
    await run(
      `insert into projects (id, org_id, name, name_fold, slug, lifecycle, updated_at, created_at)
       select id, $2, id, id, id, 'live', $3, $3 from unnest($1::text[]) id`,
    )
    await run(
      `insert into domains (project_id, org_id, hostname, seen_at, created_at)
       select id, $2, id || '.plants.test', $4::timestamptz, $3 from unnest($1::text[]) id`,
      state === 'ok' ? clock.now() : null,
    )
    await run(
      `insert into resources (id, org_id, project_id, tier, kind, name, account_id, state, updated_at, created_at)
       select 'res_' || id, $2, id, 'production', 'custom_domain', id || '.plants.test', 'acc', $4, $3, $3
       from unnest($1::text[]) id`,
      state,
    )
  }

  test('a ready domain is noticed within five runs, although fifty other domains can never be attached', async () => {
    leaves({ activity: { 'domain.active': 1 } })
    const person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    const stuck = Array.from({ length: 50 }, (_, n) => `stuck${n}`)
    await storeProjects(stuck, person.organizationId, 'creating')
    await storeProjects(['app'], person.organizationId, 'ok')
    const { accounts } = app.platform
    const openCloud: typeof accounts.openCloud = async ({ project }) => {
      if (project?.id === 'app') return openAccount('app', 'active')
      // One is refused and one fails unexpectedly; neither may end the run.
      throw project?.id === 'stuck0' ? new TypeError('a fault of ours') : conflict('Connect it again.')
    }
    const platform = { ...app.platform, accounts: { ...accounts, openCloud } }
    const isActive = async () => {
      const { rows } = await app.platform.pool.query(`select url from domains where project_id = 'app'`)
      return rows[0].url !== null
    }
    // Each run checks 50 of the 51 domains. The chance that five runs leave out the same one is below 10^-8.
    for (let run = 0; run < 5 && !(await isActive()); run++)
      await watchDomains.run(platform, new AbortController().signal)
    assert.ok(await isActive())
  })

  test("the host names of the app's Turnstile widget are updated again after their update failed", async () => {
    const person = await app.signUp()
    await storeCloudAccount(app, person.organizationId)
    await storeProjects(['guarded'], person.organizationId, 'creating')
    let updates = 0
    const syncWidgetHosts = async () => {
      updates++
      if (updates === 1) throw refusedCall(503)
    }
    const { accounts } = app.platform
    const platform = {
      ...app.platform,
      accounts: { ...accounts, openCloud: async () => openAccount('guarded', 'pending') },
      widgets: { syncWidgetHosts },
    }
    for (let run = 0; run < 3; run++) await watchDomains.run(platform, new AbortController().signal)
    // The last run does not attach the domain again.
    assert.equal(updates, 2)
  })
})
