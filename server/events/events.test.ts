import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { transact, type Database } from '../db/database.ts'
import { testDatabase } from '../testing/database.ts'
import { recordActivity } from './activity.ts'
import { emit } from './emit.ts'
import { EVENT_DATA } from './event-types.ts'

const at = new Date('2026-11-20T18:00:00.123Z')
const where = { orgId: 'org_a', projectId: 'prj_a', at }

let database: Database & { drop(): Promise<void> }
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('an event becomes the envelope that receivers get, stored as text', async () => {
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

test('a change that is rolled back leaves no event behind', async () => {
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

test('data that is not what the event promises is refused, and unknown fields never leave', async () => {
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

test('the event names are exactly the eleven of the specification', () => {
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

test('activity names the project even after it is gone, and goes with its organization only', async () => {
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
