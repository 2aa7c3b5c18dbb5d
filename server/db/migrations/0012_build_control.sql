-- Control over builds: the queue, steering, preview errors, a project's history, and what old runs leave behind.

-- Tickets that wait to be built, one line per project. A row leaves in the transaction that starts its run.
create table build_queue (
  org_id text not null,
  project_id text collate "C" not null,
  ticket_id text collate "C" not null references tickets(id) on delete cascade,
  position bigint not null,
  -- Who queued it, and what they were allowed to do: a run is started with exactly that.
  actor text,
  scopes text[] not null,
  -- The head of a line that could not be started (no builds left this hour, no model) waits until then.
  not_before timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (project_id, ticket_id),
  unique (project_id, position),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index build_queue_ticket on build_queue (ticket_id);

-- What people said to a build that was going on. `read_by` is the run whose model has read it.
create table run_inputs (
  id text collate "C" primary key,
  org_id text not null,
  run_id text collate "C" not null references runs(id) on delete cascade,
  ticket_id text collate "C" not null references tickets(id) on delete cascade,
  text text not null,
  delivery text not null check (delivery in ('delivered', 'next_build')),
  actor text,
  read_by text collate "C",
  created_at timestamptz(3) not null
);
create index run_inputs_ticket on run_inputs (ticket_id, created_at, id);
create index run_inputs_run on run_inputs (run_id);

-- Errors of the preview since the ticket's last build, as a JSON array.
create table preview_errors (
  ticket_id text collate "C" primary key references tickets(id) on delete cascade,
  project_id text collate "C" not null references projects(id) on delete cascade,
  errors text not null,
  created_at timestamptz(3) not null
);
create index preview_errors_project on preview_errors (project_id);

-- What happened to a project, for people: written in the transaction that made it true.
create table history_events (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  type text not null check (type in
    ('built', 'build_failed', 'reverted', 'shipped', 'rolled_back', 'renamed', 'archived', 'unarchived')),
  actor text,
  ticket_id text collate "C",
  run_id text collate "C",
  sha text,
  detail text,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index history_events_page on history_events (project_id, created_at desc, id desc);

-- Set once the frames of an old run were folded into a snapshot.
alter table runs add column folded_at timestamptz(3);
create index runs_unfolded on runs (created_at) where folded_at is null;
-- The next attempt of a run, and the builds of an organization's last hour.
create index runs_resumed on runs (resumed_from) where resumed_from is not null;
create index runs_hour on runs (org_id, created_at) where attempt = 1;
-- Drafts that are old enough to be dropped.
create index git_refs_drafts on git_refs (created_at) where name like 'refs/runs/%';
