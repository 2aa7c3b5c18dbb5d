-- Rolling back, removing one resource, reconciling; how the registry compares with the account.

-- Taken off its address by a rollback: never served again by going further back.
alter table deployments drop constraint deployments_status_check;
alter table deployments add constraint deployments_status_check
  check (status in ('deploying', 'live', 'superseded', 'failed', 'rolled_back'));
-- The capabilities its version is wired to, as JSON: a version with other wires is not served again as it is.
alter table deployments add column wiring text;

-- What the last look into the account found, and when that was.
alter table resources add column found text check (found in ('ok', 'missing', 'drifted'));
alter table resources add column looked_at timestamptz(3);

-- Work on what stands in the account that is neither a ship nor a provisioning. It waits in the line of the ships.
create table resource_tasks (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  kind text not null check (kind in ('rollback', 'remove', 'reconcile')),
  -- What it is about; null for the whole project.
  resource_id text collate "C",
  -- The deployment a rollback goes back to.
  deployment_id text collate "C",
  actor text not null,
  status text not null check (status in ('going', 'done', 'failed')),
  -- The answer, as JSON.
  result text,
  error_code text,
  error text,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create unique index resource_tasks_one_going on resource_tasks (project_id) where status = 'going';
create index resource_tasks_project on resource_tasks (project_id);

-- Traffic spans the live projects, most recently deployed first, of organizations that may have very many.
create index projects_live on projects (org_id, live_at desc, id desc) where lifecycle = 'live';
