import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transact, type Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { recordActivity } from '../activity/log.ts'
import { emit } from './emit.ts'
import { EVENT_DATA } from './event-types.ts'

const at = new Date('2026-11-20T18:00:00.123Z')
const where = { orgId: 'org_a', projectId: 'prj_a', at }

let database: Database & { drop(): Promise<void> }

describe('storing events', () => {
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('an event is stored as the JSON text that webhook receivers get', async () => {
    await transact(database.db, (trx) =>
      emit(trx, { ...where, type: 'project.created', data: { name: 'Recipes', slug: 'recipes' } }),
    )
    const row = await database.db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    assert.match(row.id, /^evt_/)
    assert.deepEqual(JSON.parse(row.body), {
      id: row.id,
      type: 'project.created',
      projectId: 'prj_a',
      createdAt: at.getTime(),
      data: { name: 'Recipes', slug: 'recipes' },
    })
  })

  test('a change that is rolled back stores no event', async () => {
    const failing = transact(database.db, async (trx) => {
      await emit(trx, { ...where, type: 'project.archived', data: {} })
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    const rows = await database.db
      .selectFrom('events')
      .where('type', '=', 'project.archived')
      .selectAll()
      .execute()
    assert.equal(rows.length, 0)
  })

  test('emitting an event whose data does not match its schema is refused, and unknown fields are dropped', async () => {
    const wrong = { sha: 7 } as unknown as { sha: string }
    await assert.rejects(
      transact(database.db, (trx) => emit(trx, { ...where, type: 'project.reverted', data: wrong })),
      /sha/,
    )
    const extra = { sha: 'abc', token: 'secret' }
    await transact(database.db, (trx) => emit(trx, { ...where, type: 'project.reverted', data: extra }))
    const row = await database.db
      .selectFrom('events')
      .where('type', '=', 'project.reverted')
      .select('body')
      .executeTakeFirstOrThrow()
    assert.ok(!row.body.includes('secret'))
  })

  test('the event types are exactly the eleven that the public API promises', () => {
    assert.deepEqual(Object.keys(EVENT_DATA), [
      'project.created',
      'ticket.created',
      'ticket.updated',
      'ticket.build.succeeded',
      'ticket.build.failed',
      'project.deployed',
      'project.rolled_back',
      'project.reverted',
      'project.renamed',
      'project.archived',
      'project.deleted',
    ])
  })

  test('activity records keep the name of a deleted project and are deleted only with their organization', async () => {
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', now())`,
    )
    const entry = {
      orgId: 'org_a',
      at,
      provider: 'cloudflare',
      actor: 'Ann',
      action: 'worker.created',
    } as const
    await recordActivity(database.db, {
      ...entry,
      target: 'recipes',
      status: 'ok',
      projectId: 'prj_a',
      projectName: 'R',
    })
    await assert.rejects(
      recordActivity(database.db, { ...entry, orgId: 'org_x', target: 'recipes', status: 'ok' }),
    )
    const rows = await database.db.selectFrom('activity').selectAll().execute()
    assert.deepEqual(
      rows.map((row) => [row.project_name, row.detail, row.at.getTime()]),
      [['R', null, at.getTime()]],
    )
  })

  test("an activity record with the id of a user or an API key contains the e-mail address of the user or the key's creator", async () => {
    await database.pool.query(
      `insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
     values ('user_ann', 'Ann', 'ann@acme.test', true, now(), now())`,
    )
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_n', 'N', 'n', now()), ('org_m', 'M', 'm', now())`,
    )
    await database.pool.query(
      `insert into api_keys (id, org_id, created_by, name, prefix, key_hash, scopes, source, created_at)
     values ('key_1', 'org_n', 'user_ann', 'CI', 'svk_1', 'h', '{}', 'console', now())`,
    )
    await database.pool.query(
      `insert into member (id, "organizationId", "userId", role, "createdAt")
     values ('m_1', 'org_n', 'user_ann', 'owner', now())`,
    )
    const actorOf = async (orgId: string, actor: string) => {
      const entry = { orgId, at, provider: 'slipway', action: 'x', target: actor, status: 'ok' } as const
      await recordActivity(database.db, { ...entry, actor })
      const stored = database.db.selectFrom('activity').select('actor').where('org_id', '=', orgId)
      return (await stored.where('target', '=', actor).executeTakeFirstOrThrow()).actor
    }
    assert.equal(await actorOf('org_n', 'user_ann'), 'ann@acme.test')
    assert.equal(await actorOf('org_n', 'key_1'), 'ann@acme.test')
    // The id of a user or key of another organization is stored unchanged and not replaced by a name.
    assert.equal(await actorOf('org_m', 'user_ann'), 'user_ann')
    assert.equal(await actorOf('org_m', 'key_1'), 'key_1')
    assert.equal(await actorOf('org_n', 'claude-opus'), 'claude-opus')
  })
})
