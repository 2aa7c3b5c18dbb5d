import { runStatements } from '../harness/postgres.ts'

export const ROW_COUNT = 1_000_000

/**
 * Adds a million activity records of organization 1: ten projects, one record every ten seconds, and every fiftieth record with a detail
 * that CSV must quote. The seeded templates do not contain these records, because every write benchmark would copy them.
 */
export async function addActivity(databaseUrl: string): Promise<void> {
  await runStatements(databaseUrl, [
    'set statement_timeout = 0',
    `insert into activity (id, org_id, at, provider, actor, action, target, status, project_id, project_name, detail,
       created_at)
     select 'act_' || lpad(n::text, 26, '0'), 'org_1', t.at,
       (array['cloudflare', 'github', 'slipway', 'cloudflare'])[1 + n % 4], 'person' || n % 20 || '@acme.test',
       (array['worker.deploy', 'database.create', 'api_key.created', 'bucket.create', 'worker.delete'])[1 + n % 5],
       'project-' || n % 10, case when n % 33 = 0 then 'failed' else 'ok' end,
       'prj_' || lpad((n % 10)::text, 26, '0'), 'Project ' || n % 10,
       case when n % 50 = 0 then 'refused: "quota", code ' || n when n % 3 = 0 then 'version ' || n end, t.at
     from generate_series(1, ${ROW_COUNT}) n,
       lateral (select timestamptz '2026-01-01' + make_interval(secs => n * 10) as at) t`,
    'vacuum (freeze, analyze) activity',
    'checkpoint',
  ])
}
