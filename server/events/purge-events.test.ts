import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { transact } from '../db/database.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { emit } from './emit.ts'
import { EVENTS_OF_ORGANIZATION, purgeEvents } from './purge-events.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

describe('purging events', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ outboundAllow: ['127.0.0.1'] })
  })
  after(() => app.close())

  const fireEvent = (orgId: string, sha: string) =>
    transact(app.platform.db, (trx) =>
      emit(trx, { type: 'project.reverted', orgId, projectId: 'prj_a', data: { sha }, at: app.clock.now() }),
    )
  const rowsOf = (table: 'events' | 'deliveries') => app.platform.db.selectFrom(table).selectAll().execute()
  const runPurge = () => purgeEvents.run(app.platform, new AbortController().signal)

  test('the purge of events deletes delivered events that are a week old, and keeps younger and undelivered events', async () => {
    const ann = await app.signUp()
    await fireEvent(ann.organizationId, 'old')
    const { data } = await ann.call<{ id: string }>('POST /webhooks', {
      url: 'http://127.0.0.1:9/',
      events: ['*'],
    })
    await fireEvent(ann.organizationId, 'open')
    app.clock.advance(7 * DAY_MS - 1)
    await runPurge()
    assert.equal((await rowsOf('events')).length, 2)
    await fireEvent('org_of_nobody', 'young')
    app.clock.advance(1)
    await runPurge()
    const shaOf = ({ body }: { body: string }) => (JSON.parse(body) as { data: { sha: string } }).data.sha
    const keptShas = () => rowsOf('events').then((all) => all.map(shaOf))
    assert.deepEqual((await keptShas()).toSorted(), ['open', 'young'])

    await ann.call(`DELETE /webhooks/${data.id}`)
    assert.equal((await rowsOf('deliveries')).length, 1)
    await runPurge()
    assert.deepEqual(await rowsOf('deliveries'), [])
    assert.deepEqual(await keptShas(), ['young'])
  })

  test('the purge of events deletes all old events even when they do not fit in one batch of 5,000, and rejects when its signal is aborted', async () => {
    await app.platform.pool.query(
      `insert into events (id, org_id, project_id, type, body, created_at)
       select 'evt_many_' || n, 'org_a', 'prj_a', 'project.archived', '{}', $1 from generate_series(1, 5001) n`,
      [new Date(app.clock.now().getTime() - 8 * DAY_MS)],
    )
    await assert.rejects(purgeEvents.run(app.platform, AbortSignal.abort(new Error('stopping'))), /stopping/)
    await runPurge()
    assert.ok(!(await rowsOf('events')).some(({ id }) => id.startsWith('evt_many_')))
  })

  test("the statements that delete an organization's events and deliveries use an index and do not scan the whole tables", async () => {
    const { pool } = app.platform
    await pool.query(
      `insert into events (id, org_id, project_id, type, body, created_at)
       select 'evt_of_' || n, 'org_' || n % 100, 'prj_a', 'project.archived', '{}', $1 from generate_series(1, 20000) n`,
      [app.clock.now()],
    )
    await pool.query(
      `insert into deliveries (event_id, endpoint_id, attempt, next_at)
       select id, 'whe_a', 0, created_at from events where id like 'evt_of_%'`,
    )
    await pool.query('analyze events, deliveries')
    for (const { table, rows } of EVENTS_OF_ORGANIZATION) {
      const plan = await pool.query<{ 'QUERY PLAN': string }>(`explain ${rows} limit 5000`, ['org_7'])
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.match(lines, /events_org/, `${table}: ${lines}`)
      assert.doesNotMatch(lines, /Seq Scan/, `${table}: ${lines}`)
    }
  })
})
