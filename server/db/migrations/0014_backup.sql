-- Where a project's main line is kept at the code host, and how far.
create table backups (
  project_id text collate "C" primary key,
  org_id text not null,
  profile text not null check (profile in ('real', 'local')),
  -- The host's own id: a repository made later under the same name is another one.
  repository_id text not null,
  owner text not null,
  name text not null,
  url text not null,
  -- null until the first push arrived.
  sha text collate "C",
  pushed_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);

alter table history_events drop constraint history_events_type_check;
alter table history_events add constraint history_events_type_check check (type in
  ('built', 'build_failed', 'reverted', 'shipped', 'rolled_back', 'renamed', 'archived', 'unarchived', 'backed_up'));
