-- When a release that has the capability began to serve: until then the reads that reach the app answer not_enabled.
alter table capabilities add column deployed_at timestamptz(3);

-- What an operator gave a capability and nobody reads back: sealed, and held by the worker that uses it.
create table capability_secrets (
  org_id text not null,
  project_id text collate "C" not null,
  key text not null,
  name text not null,
  sealed text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, key, name),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
