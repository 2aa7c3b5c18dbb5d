-- A million changes of organization 1 over its 10 projects, one every ten seconds: what the export reads. One in
-- fifty has a detail that CSV must quote. Other organizations have as many rows as make an index worth its while.
insert into activity (id, org_id, at, provider, actor, action, target, status, project_id, project_name, detail,
  created_at)
select 'act_' || lpad(n::text, 26, '0'), case when n < 1000000 then 'org_1' else 'org_' || 2 + n % 99 end, t.at,
  (array['cloudflare', 'github', 'slipway', 'cloudflare'])[1 + n % 4], 'Person ' || n % 20,
  (array['worker.deployed', 'database.created', 'api_key.created', 'bucket.created', 'worker.deleted'])[1 + n % 5],
  'project-' || n % 10, case when n % 33 = 0 then 'failed' else 'ok' end, 'prj_' || lpad((n % 10)::text, 26, '0'),
  'Project ' || n % 10, case when n % 50 = 0 then 'refused: "quota", code ' || n when n % 3 = 0 then 'version ' || n end,
  t.at
from generate_series(0, 1009999) n, lateral (select timestamptz '2026-01-01' + make_interval(secs => n * 10) as at) t;
