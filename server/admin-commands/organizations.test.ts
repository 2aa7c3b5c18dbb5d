import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { keyRoutes } from '../keys/keys.routes.ts'
import { meRoutes } from '../me/me.routes.ts'
import { securityRoutes } from '../security/security.routes.ts'
import { testDatabase } from '../testing/database.ts'
import { type MinimalApp, openMinimalApp } from '../testing/apps/minimal-app.ts'
import type { AdminContext } from '../admin/admin-context.ts'
import {
  listOrganizations,
  releaseOrganization,
  resetPolicy,
  setPlan,
  suspendOrganization,
} from './organizations.ts'

describe('operator commands on an organization', () => {
  let database: Database & { drop(): Promise<void> }
  let app: MinimalApp
  let admin: AdminContext
  let owner: Awaited<ReturnType<MinimalApp['signUp']>>
  let orgId: string
  let people = 0
  before(async () => {
    database = await testDatabase()
    app = openMinimalApp(database, [...securityRoutes, ...keyRoutes, ...meRoutes])
    admin = { db: database.db, now: new Date('2026-11-20T18:00:00.000Z'), defaultPlan: 'enterprise' }
  })
  beforeEach(async () => {
    owner = await app.signUp(`Owner ${++people}`)
    const me = await app.send('GET', '/api/v1/me', owner)
    orgId = ((await me.json()) as { data: { organization: { id: string } } }).data.organization.id
  })
  after(async () => {
    await app.auth.close()
    await database.drop()
  })

  const listedRow = async () => (await listOrganizations(admin)).find(({ id }) => id === orgId)
  const listRecords = () =>
    database.db
      .selectFrom('activity')
      .select(['actor', 'action', 'detail'])
      .where('org_id', '=', orgId)
      .where('actor', '=', 'operator')
      .orderBy('id')
      .execute()

  test('suspending an organization and ending its suspension are both recorded and listed, and each is refused when repeated', async () => {
    await suspendOrganization(admin, orgId, 'unpaid since October')
    assert.deepEqual((await listedRow())?.suspendedAt, admin.now)
    await assert.rejects(
      suspendOrganization(admin, orgId, 'again'),
      /has been suspended since 2026-11-20T18:00:00\.000Z\.$/,
    )
    await releaseOrganization(admin, orgId)
    assert.equal((await listedRow())?.suspendedAt, null)
    await assert.rejects(releaseOrganization(admin, orgId), /is not suspended\.$/)
    assert.deepEqual(await listRecords(), [
      { actor: 'operator', action: 'organization.suspended', detail: 'unpaid since October' },
      { actor: 'operator', action: 'organization.released', detail: null },
    ])
  })

  test("setting an organization's plan records the previous one; an unknown plan is refused with the list of plans", async () => {
    await setPlan(admin, orgId, 'starter')
    assert.equal((await listedRow())?.plan, 'starter')
    await assert.rejects(
      setPlan(admin, orgId, 'gold'),
      /There is no plan "gold"\. Plans are free, starter, pro, enterprise\.$/,
    )
    assert.deepEqual(
      (await listRecords()).map(({ detail }) => detail),
      ['enterprise to starter'],
    )
  })

  test('suspending an organization without a settings row creates the row with the default plan', async () => {
    await database.db.deleteFrom('organization_settings').where('org_id', '=', orgId).execute()
    await suspendOrganization(admin, orgId, 'abuse')
    const { plan, suspendedAt } = (await listedRow()) ?? {}
    assert.deepEqual({ plan, suspendedAt }, { plan: 'enterprise', suspendedAt: admin.now })
  })

  test('an operator command for an unknown organization fails with an error that names the command that lists organizations', async () => {
    for (const act of [
      () => suspendOrganization(admin, 'nowhere', 'x'),
      () => releaseOrganization(admin, 'nowhere'),
      () => setPlan(admin, 'nowhere', 'free'),
      () => resetPolicy(admin, 'nowhere', { all: false }),
    ])
      await assert.rejects(act, /^AdminError: There is no organization "nowhere"\. .*organizations/)
    assert.deepEqual(await listRecords(), [])
  })

  test('resetting a security policy readmits people locked out by its list of allowed IP addresses, and keeps its other settings', async () => {
    const policy = { require_sso: false, require_two_factor: false, session_lifetime_days: 30 }
    await database.db
      .insertInto('security_policies')
      .values({
        org_id: orgId,
        ...policy,
        allowed_ips: ['203.0.113.0/24'],
        updated_at: admin.now,
        created_at: admin.now,
      })
      .execute()
    const statusOfMe = async () => (await app.send('GET', '/api/v1/me', owner)).status
    assert.equal(await statusOfMe(), 403)
    await resetPolicy(admin, orgId, { all: false })
    assert.equal(await statusOfMe(), 200)
    const listPolicies = () =>
      database.db.selectFrom('security_policies').selectAll().where('org_id', '=', orgId).execute()
    assert.equal((await listPolicies())[0]?.session_lifetime_days, 30)
    await assert.rejects(resetPolicy(admin, orgId, { all: false }), /has no list of allowed addresses\.$/)
    await resetPolicy(admin, orgId, { all: true })
    assert.deepEqual(await listPolicies(), [])
    await assert.rejects(resetPolicy(admin, orgId, { all: true }), /has no security policy\.$/)
    assert.deepEqual(
      (await listRecords()).map(({ action, detail }) => `${action}: ${detail}`),
      ['security.reset: allowedIps: []', 'security.reset: the whole policy'],
    )
  })
})
