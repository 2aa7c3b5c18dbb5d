-- Every tenth ticket was built once, so that reading tickets is measured with builds beside them.
insert into runs (id, org_id, project_id, ticket_id, attempt, status, outcome, stage, trigger, scopes, lease, deaths,
  provider, model, limits, input, files, checks, usage, last_seq, created_at)
select 'run_' || right(id, 26), org_id, project_id, id, 1, 'succeeded', 'built', 'model', 'api', '{}', 1, 0,
  'scaffold', 'scaffold', '{}', '{}', '[]', '[]', '{}', 0, created_at
from tickets where right(id, 26)::int / 10 % 10 = 0;
