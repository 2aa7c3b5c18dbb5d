import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { namedSql } from '../db/named-sql.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { SELECT_ATTENTION } from './attention.ts'

const RUNS = 20_000

describe('the statement of the attention list', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.drop())

  test('with many builds, the attention list uses one index for builds that wait for an answer and another for recent builds', async () => {
    const { pool } = database
    await pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_a', 'A', 'a', now())`,
    )
    await pool.query(
      `insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       values ('prj_a', 'org_a', 'A', 'a', 'a', now(), now())`,
    )
    await pool.query(
      `insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, updated_at, created_at)
       values ('tkt_a', 'org_a', 'prj_a', 'A', '', 'in_progress', 'task', 'none', '{}', 'human', now(), now())`,
    )
    await pool.query(
      `insert into runs (id, org_id, project_id, ticket_id, attempt, status, stage, trigger, scopes, lease, provider, model,
         limits, input, files, checks, usage, last_seq, created_at, deaths)
       select 'run_' || n, 'org_a', 'prj_a', 'tkt_a', 1, case n when 1 then 'awaiting' else 'succeeded' end, 'tools', 'api', '{}',
         1, 'scaffold', 'm', '{}', '{}', '[]', '[]', '{}', 1, now() - n * interval '1 hour', 0 from generate_series(1, $1) n`,
      [RUNS],
    )
    await pool.query('analyze runs, tickets, projects')
    const { text, values } = namedSql<{ orgId: string; since: Date }>(SELECT_ATTENTION)
    const since = new Date(Date.now() - 7 * 24 * 3600 * 1000)
    const plan = await pool.query<{ 'QUERY PLAN': string }>(
      `explain ${text}`,
      values({ orgId: 'org_a', since }),
    )
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(lines, /Index Scan using runs_awaiting/)
    assert.match(lines, /Index Scan using runs_recent/)
    assert.doesNotMatch(lines, /Seq Scan on runs/)
  })
})
