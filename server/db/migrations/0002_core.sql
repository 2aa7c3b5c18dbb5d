-- What an organization owns beside the auth library's tables. Ids are text with a prefix ("Ids" in docs/api);
-- collate "C" keeps comparisons byte-wise, so that id order is creation order on every server locale. Columns
-- that name such an id carry it too: a join of two collations cannot use an index.

create table organization_settings (
  org_id text primary key references organization(id) on delete cascade,
  plan text not null check (plan in ('free', 'starter', 'pro', 'enterprise')),
  suspended_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table api_keys (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  created_by text references "user"(id) on delete set null,
  name text not null,
  prefix text not null,
  key_hash text not null unique,
  scopes text[] not null,
  source text not null check (source in ('console', 'device')),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index api_keys_page on api_keys (org_id, created_at desc, id desc);

create table encryption_keys (
  kid text primary key,
  check_value text not null,
  created_at timestamptz(3) not null
);

-- A row per living service process; a starting process that can take the advisory lock of a row knows it died.
create table processes (
  id integer generated always as identity primary key,
  role text not null,
  host text not null,
  seen_at timestamptz(3) not null,
  version text not null,
  created_at timestamptz(3) not null
);

create table connections (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  provider text not null check (provider in ('cloudflare', 'github')),
  profile text not null check (profile in ('real', 'local')),
  account_id text,
  account_name text,
  -- workers.dev subdomain of the account, or its local counterpart.
  subdomain text,
  token text not null,
  refresh_token text,
  scopes text[] not null,
  status text not null check (status in ('connected', 'needs_reconnect')),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (org_id, provider)
);

create table model_connections (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  provider text not null
    check (provider in ('anthropic', 'openai', 'google', 'openai-compatible', 'scaffold')),
  label text not null,
  base_url text,
  key text,
  models text[] not null,
  default_model text not null,
  is_default boolean not null,
  limits text,
  created_at timestamptz(3) not null
);
create index model_connections_org on model_connections (org_id, created_at desc, id desc);
create unique index model_connections_default on model_connections (org_id) where is_default;

create table projects (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  name text not null,
  -- NFKC and lower case computed by the writer, so that search answers alike on every server locale.
  name_fold text not null,
  slug text not null,
  slug_set boolean not null default false,
  slug_locked_at timestamptz(3),
  lifecycle text not null default 'offline' check (lifecycle in ('offline', 'live', 'archived')),
  provision_error text,
  model_connection_id text collate "C" references model_connections(id) on delete set null,
  model text,
  head_sha text,
  url text,
  preview_url text,
  preview_sha text,
  built_at timestamptz(3),
  live_at timestamptz(3),
  archived_at timestamptz(3),
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (org_id, id),
  unique (org_id, slug)
);
create index projects_page on projects (org_id, created_at desc, id desc);

create table tickets (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  title text not null,
  body text not null,
  status text not null check (status in ('backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled')),
  type text not null check (type in ('epic', 'feature', 'task', 'bug', 'chore')),
  priority text not null check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  due_at timestamptz(3),
  parent_id text collate "C" references tickets(id) on delete set null,
  labels text[] not null,
  origin text,
  source text not null check (source in ('human', 'agent', 'ingest')),
  url text,
  created_by text,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index tickets_page on tickets (project_id, created_at desc, id desc);
create index tickets_children on tickets (parent_id) where parent_id is not null;

create table runs (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  ticket_id text collate "C" not null references tickets(id) on delete cascade,
  attempt integer not null,
  resumed_from text collate "C" references runs(id) on delete set null,
  status text not null check (status in ('queued', 'running', 'awaiting', 'succeeded', 'failed', 'cancelled')),
  outcome text check (outcome in ('built', 'awaiting', 'replied')),
  stage text not null check (stage in ('model', 'tools', 'publishing')),
  trigger text not null check (trigger in ('api', 'stream', 'queue')),
  -- The caller's scopes when the run was started: they fix the set of tools.
  scopes text[] not null,
  actor text,
  -- Raised by every takeover; a write that names an older lease matches no row.
  lease integer not null,
  process_id integer,
  heartbeat_at timestamptz(3),
  connection_id text collate "C",
  provider text not null,
  model text not null,
  limits text not null,
  base_sha text,
  sha text,
  -- What the agent starts from and is asked, as JSON text (server/builds).
  input text not null,
  files text not null,
  checks text not null,
  questions text,
  message text,
  error text,
  usage text not null,
  last_seq integer not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index runs_page on runs (project_id, created_at desc, id desc);
create index runs_of_ticket on runs (ticket_id, created_at desc, id desc);
-- One build at a time per project, whatever the processes believe.
create unique index runs_one_active on runs (project_id) where status in ('queued', 'running');

create table run_events (
  run_id text collate "C" not null references runs(id) on delete cascade,
  seq integer not null,
  body text not null,
  at timestamptz(3) not null,
  primary key (run_id, seq)
);

-- The transcript: a row is inserted when a model call ended, and completed tool by tool.
create table run_steps (
  run_id text collate "C" not null references runs(id) on delete cascade,
  step integer not null,
  message text not null,
  results text not null,
  tree text not null,
  usage text not null,
  created_at timestamptz(3) not null,
  primary key (run_id, step)
);

create table token_usage (
  id bigint generated always as identity primary key,
  project_id text collate "C" not null references projects(id) on delete cascade,
  run_id text collate "C",
  provider text not null,
  model text not null,
  input integer not null,
  output integer not null,
  reasoning integer not null,
  cache_read integer not null,
  cache_write integer not null,
  estimated boolean not null,
  created_at timestamptz(3) not null
);
create index token_usage_project on token_usage (project_id, provider, model);

create table git_objects (
  project_id text collate "C" not null references projects(id) on delete cascade,
  oid text collate "C" not null,
  type text not null check (type in ('blob', 'tree', 'commit')),
  data bytea not null,
  created_at timestamptz(3) not null,
  primary key (project_id, oid)
);
alter table git_objects alter column data set storage external;

create table git_refs (
  project_id text collate "C" not null references projects(id) on delete cascade,
  name text not null,
  oid text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, name)
);

create table versions (
  project_id text collate "C" not null references projects(id) on delete cascade,
  sha text collate "C" not null,
  parent_sha text,
  run_id text collate "C",
  ticket_id text collate "C",
  author text not null,
  message text not null,
  files integer not null,
  generated_by text,
  created_at timestamptz(3) not null,
  primary key (project_id, sha)
);
create index versions_page on versions (project_id, created_at desc, sha);

create table capabilities (
  project_id text collate "C" not null references projects(id) on delete cascade,
  key text not null,
  enabled boolean not null,
  settings text not null,
  state text not null check (state in ('creating', 'idle', 'error')),
  error text,
  -- Raised by every change, so that a job that woke up late knows it is stale.
  generation integer not null,
  created_at timestamptz(3) not null,
  primary key (project_id, key)
);

-- The registry: a row is written as 'creating' before the cloud call that makes the thing.
create table resources (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  capability text,
  tier text not null check (tier in ('production', 'preview', 'shared')),
  kind text not null,
  name text not null,
  provider_id text,
  account_id text not null,
  state text not null check (state in ('creating', 'ok', 'error')),
  version_id text,
  detail text,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  unique (account_id, kind, name),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index resources_project on resources (project_id, created_at desc);

create table deployments (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  tier text not null check (tier in ('production', 'preview')),
  sha text not null,
  status text not null check (status in ('deploying', 'live', 'superseded', 'failed')),
  version_id text,
  content_hash text,
  url text,
  actor text,
  error text,
  live_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index deployments_page on deployments (project_id, created_at desc, id desc);
create unique index deployments_one_live on deployments (project_id, tier) where status = 'live';
create unique index deployments_one_going on deployments (project_id, tier) where status = 'deploying';

-- The outbox: an event exists exactly when the transaction that made it true has committed.
create table events (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  type text not null,
  body text not null,
  created_at timestamptz(3) not null
);
create index events_age on events (created_at);

-- Every change made in connected accounts; outlives projects, so no foreign key to them.
create table activity (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  at timestamptz(3) not null,
  provider text not null check (provider in ('cloudflare', 'github', 'slipway')),
  actor text not null,
  action text not null,
  target text not null,
  status text not null check (status in ('ok', 'failed')),
  project_id text collate "C",
  project_name text,
  detail text,
  created_at timestamptz(3) not null
);
create index activity_page on activity (org_id, at desc, id desc);
