-- Made by `npm run generate` from server/db/migrations. Do not edit, and never apply: the migrations do that.

-- extensions

create extension btree_gin;

create extension pg_trgm;

-- tables

create table account (
  id text not null,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamp with time zone,
  "refreshTokenExpiresAt" timestamp with time zone,
  scope text,
  password text,
  "createdAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamp with time zone not null,
  constraint account_pkey PRIMARY KEY (id)
);

create table activity (
  id text collate "C" not null,
  org_id text not null,
  at timestamp(3) with time zone not null,
  provider text not null,
  actor text not null,
  action text not null,
  target text not null,
  status text not null,
  project_id text collate "C",
  project_name text,
  detail text,
  created_at timestamp(3) with time zone not null,
  constraint activity_pkey PRIMARY KEY (id),
  constraint activity_provider_check CHECK (provider = ANY (ARRAY['cloudflare'::text, 'github'::text, 'stripe'::text, 'slipway'::text])),
  constraint activity_status_check CHECK (status = ANY (ARRAY['ok'::text, 'failed'::text]))
);

create table api_keys (
  id text collate "C" not null,
  org_id text not null,
  created_by text,
  name text not null,
  prefix text not null,
  key_hash text not null,
  scopes text[] not null,
  source text not null,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint api_keys_key_hash_key UNIQUE (key_hash),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_source_check CHECK (source = ANY (ARRAY['console'::text, 'device'::text]))
);

create table app_erasures (
  org_id text not null,
  project_id text collate "C" not null,
  user_id text not null,
  actor text not null,
  attempts integer default 1 not null,
  due_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint app_erasures_pkey PRIMARY KEY (project_id, user_id)
);

create table app_mail_domains (
  project_id text collate "C" not null,
  org_id text not null,
  account_id text not null,
  zone_id text not null,
  domain text collate "C" not null,
  local_part text not null,
  from_address text,
  created_at timestamp(3) with time zone not null,
  constraint app_mail_domains_pkey PRIMARY KEY (project_id)
);

create table app_mailboxes (
  project_id text collate "C" not null,
  org_id text not null,
  local_part text collate "C" not null,
  collection text not null,
  notify boolean not null,
  constraint app_mailboxes_pkey PRIMARY KEY (project_id, local_part)
);

create table asset_uploads (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  path text not null,
  account_id text not null,
  expires_at timestamp(3) with time zone not null,
  finalized_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint asset_uploads_pkey PRIMARY KEY (id)
);

create table assets (
  org_id text not null,
  project_id text collate "C" not null,
  path text collate "C" not null,
  name text not null,
  size_bytes integer not null,
  content_type text not null,
  access text not null,
  is_stamped boolean not null,
  account_id text not null,
  stored_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint assets_pkey PRIMARY KEY (project_id, path)
);

create table attachments (
  org_id text not null,
  project_id text collate "C" not null,
  sha256 text collate "C" not null,
  media_type text not null,
  size_bytes integer not null,
  account_id text not null,
  created_at timestamp(3) with time zone not null,
  constraint attachments_media_type_check CHECK (media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text, 'image/webp'::text, 'application/pdf'::text])),
  constraint attachments_pkey PRIMARY KEY (project_id, sha256)
);

create table backups (
  project_id text collate "C" not null,
  org_id text not null,
  profile text not null,
  repository_id text not null,
  owner text not null,
  name text not null,
  url text not null,
  sha text collate "C",
  pushed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint backups_pkey PRIMARY KEY (project_id),
  constraint backups_profile_check CHECK (profile = ANY (ARRAY['real'::text, 'local'::text]))
);

create table billing_customers (
  org_id text not null,
  customer_id text not null,
  plan text,
  status text,
  period_end timestamp(3) with time zone,
  ends_with_period boolean not null,
  overdue_since timestamp(3) with time zone,
  read_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint billing_customers_customer_id_key UNIQUE (customer_id),
  constraint billing_customers_pkey PRIMARY KEY (org_id)
);

create table billing_events (
  id text not null,
  customer_id text not null,
  created_at timestamp(3) with time zone not null,
  constraint billing_events_pkey PRIMARY KEY (id)
);

create table build_pause (
  id integer default 1 not null,
  reason text not null,
  created_at timestamp(3) with time zone not null,
  constraint build_pause_id_check CHECK (id = 1),
  constraint build_pause_pkey PRIMARY KEY (id)
);

create table build_queue (
  org_id text not null,
  project_id text collate "C" not null,
  ticket_id text collate "C" not null,
  "position" bigint not null,
  actor text,
  scopes text[] not null,
  not_before timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  waiting text,
  waiting_until timestamp(3) with time zone,
  constraint build_queue_pkey PRIMARY KEY (project_id, ticket_id),
  constraint build_queue_project_id_position_key UNIQUE (project_id, "position"),
  constraint build_queue_waiting_check CHECK (waiting = ANY (ARRAY['model'::text, 'allowance'::text, 'suspended'::text, 'tokens'::text]))
);

create table build_starts (
  id bigint generated always as identity not null,
  org_id text not null,
  created_at timestamp(3) with time zone not null,
  constraint build_starts_pkey PRIMARY KEY (id)
);

create table capabilities (
  project_id text collate "C" not null,
  key text not null,
  enabled boolean not null,
  settings text not null,
  state text not null,
  error text,
  generation integer not null,
  created_at timestamp(3) with time zone not null,
  deployed_at timestamp(3) with time zone,
  constraint capabilities_pkey PRIMARY KEY (project_id, key),
  constraint capabilities_state_check CHECK (state = ANY (ARRAY['creating'::text, 'idle'::text, 'error'::text]))
);

create table capability_secrets (
  org_id text not null,
  project_id text collate "C" not null,
  key text not null,
  name text not null,
  sealed text not null,
  created_at timestamp(3) with time zone not null,
  constraint capability_secrets_pkey PRIMARY KEY (project_id, key, name)
);

create table cloud_accounts (
  org_id text not null,
  account_id text not null,
  profile text not null,
  name text not null,
  subdomain text,
  connected_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint cloud_accounts_pkey PRIMARY KEY (org_id, account_id),
  constraint cloud_accounts_profile_check CHECK (profile = ANY (ARRAY['real'::text, 'local'::text]))
);

create table connections (
  id text collate "C" not null,
  org_id text not null,
  provider text not null,
  profile text not null,
  account_id text,
  account_name text,
  subdomain text,
  token text not null,
  refresh_token text,
  scopes text[] not null,
  status text not null,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  method text default 'oauth'::text not null,
  constraint connections_method_check CHECK (method = ANY (ARRAY['oauth'::text, 'token'::text])),
  constraint connections_org_id_provider_key UNIQUE (org_id, provider),
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_profile_check CHECK (profile = ANY (ARRAY['real'::text, 'local'::text])),
  constraint connections_provider_check CHECK (provider = ANY (ARRAY['cloudflare'::text, 'github'::text])),
  constraint connections_status_check CHECK (status = ANY (ARRAY['connected'::text, 'needs_reconnect'::text]))
);

create table deletion_runs (
  user_id text not null,
  spent_ms integer not null,
  cleared integer not null,
  created_at timestamp(3) with time zone not null,
  constraint deletion_runs_pkey PRIMARY KEY (user_id)
);

create table deliveries (
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  attempt integer not null,
  next_at timestamp(3) with time zone not null,
  claimed_until timestamp(3) with time zone,
  claimed_by integer,
  constraint deliveries_pkey PRIMARY KEY (event_id, endpoint_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);

create table deployments (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  tier text not null,
  sha text not null,
  status text not null,
  version_id text,
  content_hash text,
  url text,
  actor text,
  error text,
  live_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  wiring text,
  constraint deployments_pkey PRIMARY KEY (id),
  constraint deployments_status_check CHECK (status = ANY (ARRAY['deploying'::text, 'live'::text, 'superseded'::text, 'failed'::text, 'rolled_back'::text])),
  constraint deployments_tier_check CHECK (tier = ANY (ARRAY['production'::text, 'preview'::text]))
);

create table device_grants (
  device_hash text not null,
  user_code text not null,
  name text not null,
  scopes text[] not null,
  status text not null,
  kid text not null,
  key_hash text not null,
  prefix text not null,
  address text not null,
  org_id text,
  approved_by text,
  api_key_id text collate "C",
  interval_seconds integer not null,
  last_polled_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint device_grants_pkey PRIMARY KEY (device_hash),
  constraint device_grants_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'denied'::text, 'collected'::text])),
  constraint device_grants_user_code_key UNIQUE (user_code)
);

create table domains (
  project_id text collate "C" not null,
  org_id text not null,
  hostname text collate "C" not null,
  facts text,
  seen_at timestamp(3) with time zone,
  zone_checked_at timestamp(3) with time zone,
  url text,
  problem text,
  created_at timestamp(3) with time zone not null,
  constraint domains_org_id_hostname_key UNIQUE (org_id, hostname),
  constraint domains_pkey PRIMARY KEY (project_id)
);

create table encryption_keys (
  kid text not null,
  check_value text not null,
  created_at timestamp(3) with time zone not null,
  constraint encryption_keys_pkey PRIMARY KEY (kid)
);

create table events (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  type text not null,
  body text not null,
  created_at timestamp(3) with time zone not null,
  constraint events_pkey PRIMARY KEY (id)
);

create table git_objects (
  project_id text collate "C" not null,
  oid text collate "C" not null,
  type text not null,
  data bytea storage external not null,
  created_at timestamp(3) with time zone not null,
  constraint git_objects_pkey PRIMARY KEY (project_id, oid),
  constraint git_objects_type_check CHECK (type = ANY (ARRAY['blob'::text, 'tree'::text, 'commit'::text]))
);

create table git_refs (
  project_id text collate "C" not null,
  name text not null,
  oid text not null,
  created_at timestamp(3) with time zone not null,
  constraint git_refs_pkey PRIMARY KEY (project_id, name)
);

create table help_attachments (
  id text collate "C" not null,
  org_id text not null,
  created_by text,
  message_id text collate "C",
  "position" integer,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  data bytea storage external not null,
  created_at timestamp(3) with time zone not null,
  constraint help_attachments_pkey PRIMARY KEY (id)
);

create table help_messages (
  id text collate "C" not null,
  org_id text not null,
  thread_id text collate "C" not null,
  author text not null,
  created_by text,
  body text not null,
  is_mailed boolean,
  created_at timestamp(3) with time zone not null,
  constraint help_messages_author_check CHECK (author = ANY (ARRAY['member'::text, 'operator'::text])),
  constraint help_messages_pkey PRIMARY KEY (id)
);

create table help_threads (
  id text collate "C" not null,
  org_id text not null,
  subject text not null,
  state text not null,
  created_by text,
  plan text not null,
  project_id text collate "C",
  project_name text,
  console text,
  last_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint help_threads_pkey PRIMARY KEY (id),
  constraint help_threads_state_check CHECK (state = ANY (ARRAY['open'::text, 'answered'::text, 'closed'::text]))
);

create table history_events (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  type text not null,
  actor text,
  ticket_id text collate "C",
  run_id text collate "C",
  sha text,
  detail text,
  created_at timestamp(3) with time zone not null,
  constraint history_events_pkey PRIMARY KEY (id),
  constraint history_events_type_check CHECK (type = ANY (ARRAY['built'::text, 'build_failed'::text, 'reverted'::text, 'shipped'::text, 'rolled_back'::text, 'renamed'::text, 'archived'::text, 'unarchived'::text, 'backed_up'::text]))
);

create table ideas (
  ticket_id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  source_id text collate "C" not null,
  external_id text,
  title text not null,
  body text not null,
  url text,
  state text not null,
  attempt integer not null,
  next_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint ideas_pkey PRIMARY KEY (ticket_id),
  constraint ideas_state_check CHECK (state = ANY (ARRAY['queued'::text, 'captured'::text, 'failed'::text]))
);

create table idempotency_keys (
  org_id text not null,
  user_id text not null,
  path text not null,
  key text not null,
  body_hash text not null,
  claim text not null,
  claimed_until timestamp(3) with time zone not null,
  body text,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (org_id, user_id, path, key)
);

create table ingest_sources (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  secret text not null,
  created_at timestamp(3) with time zone not null,
  created_by text,
  constraint ingest_sources_pkey PRIMARY KEY (id)
);

create table invitation (
  id text not null,
  "organizationId" text not null,
  email text not null,
  role text,
  status text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "inviterId" text not null,
  constraint invitation_pkey PRIMARY KEY (id)
);

create table label_counts (
  project_id text collate "C" not null,
  label text collate "C" not null,
  n bigint not null,
  first_place bigint generated always as identity not null,
  constraint label_counts_pkey PRIMARY KEY (project_id, label)
) with (fillfactor=50);

create table mails (
  id text collate "C" not null,
  kind text not null,
  recipient text not null,
  content text,
  state text not null,
  problem text,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint mails_kind_check CHECK (kind = ANY (ARRAY['verify'::text, 'reset'::text, 'invitation'::text, 'two-factor'::text, 'account-deleted'::text, 'help-answered'::text])),
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'held'::text, 'sent'::text, 'failed'::text]))
);

create table member (
  id text not null,
  "organizationId" text not null,
  "userId" text not null,
  role text not null,
  "createdAt" timestamp with time zone not null,
  constraint member_pkey PRIMARY KEY (id)
);

create table model_connections (
  id text collate "C" not null,
  org_id text not null,
  provider text not null,
  label text not null,
  base_url text,
  key text,
  models text[] not null,
  default_model text not null,
  is_default boolean not null,
  limits text,
  created_at timestamp(3) with time zone not null,
  modalities text[],
  constraint model_connections_pkey PRIMARY KEY (id),
  constraint model_connections_provider_check CHECK (provider = ANY (ARRAY['anthropic'::text, 'openai'::text, 'google'::text, 'openai-compatible'::text, 'workers-ai'::text, 'scaffold'::text]))
);

create table moves (
  project_id text collate "C" not null,
  org_id text not null,
  from_account text not null,
  live_data text not null,
  state text default 'waiting'::text not null,
  deployment_id text collate "C",
  cursor text,
  records integer default 0 not null,
  files integer default 0 not null,
  is_held boolean default false not null,
  problem text,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint moves_live_data_check CHECK (live_data = ANY (ARRAY['copy'::text, 'leave'::text])),
  constraint moves_pkey PRIMARY KEY (project_id),
  constraint moves_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'moving'::text, 'removing'::text]))
);

create table oauth_states (
  state_hash text not null,
  org_id text not null,
  user_id text not null,
  session_hash text not null,
  provider text not null,
  profile text not null,
  verifier text not null,
  scopes text[] not null,
  next text not null,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint oauth_states_pkey PRIMARY KEY (state_hash),
  constraint oauth_states_profile_check CHECK (profile = ANY (ARRAY['real'::text, 'local'::text])),
  constraint oauth_states_provider_check CHECK (provider = ANY (ARRAY['cloudflare'::text, 'github'::text]))
);

create table organization (
  id text not null,
  name text not null,
  slug text not null,
  logo text,
  "createdAt" timestamp with time zone not null,
  metadata text,
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_slug_key UNIQUE (slug)
);

create table organization_settings (
  org_id text not null,
  plan text not null,
  suspended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint organization_settings_pkey PRIMARY KEY (org_id),
  constraint organization_settings_plan_check CHECK (plan = ANY (ARRAY['free'::text, 'starter'::text, 'pro'::text, 'enterprise'::text]))
);

create table passkey (
  id text not null,
  name text,
  "publicKey" text not null,
  "userId" text not null,
  "credentialID" text not null,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamp with time zone,
  aaguid text,
  constraint passkey_pkey PRIMARY KEY (id)
);

create table pay_codes (
  org_id text not null,
  project_id text collate "C" not null,
  id text collate "C" not null,
  code text not null,
  percent_hundredths integer,
  amount_off integer,
  currency text,
  duration text not null,
  max_redemptions integer,
  active boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint pay_codes_pkey PRIMARY KEY (id)
);

create table pay_key_checks (
  project_id text collate "C" not null,
  org_id text not null,
  mode text not null,
  missing text not null,
  checked_at timestamp(3) with time zone not null,
  constraint pay_key_checks_pkey PRIMARY KEY (project_id)
);

create table pay_products (
  org_id text not null,
  project_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  amount integer not null,
  currency text not null,
  "interval" text,
  active boolean not null,
  created_at timestamp(3) with time zone not null,
  constraint pay_products_pkey PRIMARY KEY (id)
);

create table plan_messages (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  role text not null,
  status text not null,
  text text not null,
  actor text,
  error text,
  attachments text not null,
  usage text,
  tickets text[] not null,
  provider text,
  model text,
  lease integer not null,
  heartbeat_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  read_outside boolean not null,
  constraint plan_messages_pkey PRIMARY KEY (id),
  constraint plan_messages_role_check CHECK (role = ANY (ARRAY['user'::text, 'agent'::text])),
  constraint plan_messages_status_check CHECK (status = ANY (ARRAY['running'::text, 'complete'::text, 'stopped'::text, 'failed'::text]))
);

create table preview_errors (
  ticket_id text collate "C" not null,
  project_id text collate "C" not null,
  errors json not null,
  created_at timestamp(3) with time zone not null,
  constraint preview_errors_pkey PRIMARY KEY (ticket_id)
);

create table processes (
  id integer generated always as identity not null,
  role text not null,
  host text not null,
  seen_at timestamp(3) with time zone not null,
  version text not null,
  created_at timestamp(3) with time zone not null,
  constraint processes_pkey PRIMARY KEY (id)
);

create table project_leases (
  project_id text collate "C" not null,
  org_id text not null,
  purpose text not null,
  holder text not null,
  leased_until timestamp(3) with time zone not null,
  constraint project_leases_pkey PRIMARY KEY (project_id, purpose)
);

create table projects (
  id text collate "C" not null,
  org_id text not null,
  name text not null,
  name_fold text not null,
  slug text not null,
  slug_set boolean default false not null,
  slug_locked_at timestamp(3) with time zone,
  lifecycle text default 'offline'::text not null,
  provision_error text,
  model_connection_id text collate "C",
  model text,
  head_sha text,
  url text,
  preview_url text,
  preview_sha text,
  live_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  deleting_at timestamp(3) with time zone,
  readme text,
  rebind_due boolean default false not null,
  constraint projects_lifecycle_check CHECK (lifecycle = ANY (ARRAY['offline'::text, 'live'::text, 'archived'::text])),
  constraint projects_org_id_id_key UNIQUE (org_id, id),
  constraint projects_org_id_slug_key UNIQUE (org_id, slug),
  constraint projects_pkey PRIMARY KEY (id)
);

create unlogged table rate_limits (
  key text collate "C" not null,
  points integer not null,
  expire bigint not null,
  constraint rate_limits_pkey PRIMARY KEY (key)
) with (fillfactor=50);

create table resource_tasks (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  kind text not null,
  resource_id text collate "C",
  deployment_id text collate "C",
  actor text not null,
  status text not null,
  result text,
  error_code text,
  error text,
  created_at timestamp(3) with time zone not null,
  constraint resource_tasks_kind_check CHECK (kind = ANY (ARRAY['rollback'::text, 'remove'::text, 'reconcile'::text])),
  constraint resource_tasks_pkey PRIMARY KEY (id),
  constraint resource_tasks_status_check CHECK (status = ANY (ARRAY['going'::text, 'done'::text, 'failed'::text]))
);

create table resources (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  capability text,
  tier text not null,
  kind text not null,
  name text not null,
  provider_id text,
  account_id text not null,
  state text not null,
  version_id text,
  detail text,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  found text,
  looked_at timestamp(3) with time zone,
  constraint resources_account_id_kind_name_key UNIQUE (account_id, kind, name),
  constraint resources_found_check CHECK (found = ANY (ARRAY['ok'::text, 'missing'::text, 'drifted'::text])),
  constraint resources_pkey PRIMARY KEY (id),
  constraint resources_state_check CHECK (state = ANY (ARRAY['creating'::text, 'ok'::text, 'error'::text])),
  constraint resources_tier_check CHECK (tier = ANY (ARRAY['production'::text, 'preview'::text, 'shared'::text]))
);

create table run_events (
  run_id text collate "C" not null,
  seq integer not null,
  body text not null,
  at timestamp(3) with time zone not null,
  type text not null,
  constraint run_events_pkey PRIMARY KEY (run_id, seq)
);

create table run_inputs (
  id text collate "C" not null,
  org_id text not null,
  run_id text collate "C" not null,
  ticket_id text collate "C" not null,
  text text not null,
  delivery text not null,
  actor text,
  read_by text collate "C",
  created_at timestamp(3) with time zone not null,
  files json,
  constraint run_inputs_delivery_check CHECK (delivery = ANY (ARRAY['delivered'::text, 'next_build'::text])),
  constraint run_inputs_pkey PRIMARY KEY (id)
);

create table run_steps (
  run_id text collate "C" not null,
  step integer not null,
  message text not null,
  results text not null,
  tree text not null,
  usage text not null,
  created_at timestamp(3) with time zone not null,
  begun integer,
  constraint run_steps_pkey PRIMARY KEY (run_id, step)
);

create table runs (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  ticket_id text collate "C" not null,
  attempt integer not null,
  resumed_from text collate "C",
  status text not null,
  outcome text,
  stage text not null,
  trigger text not null,
  scopes text[] not null,
  actor text,
  lease integer not null,
  heartbeat_at timestamp(3) with time zone,
  connection_id text collate "C",
  provider text not null,
  model text not null,
  limits json not null,
  base_sha text,
  sha text,
  input json not null,
  files json not null,
  checks json not null,
  questions json,
  message text,
  error json,
  usage json not null,
  last_seq integer not null,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  folded_at timestamp(3) with time zone,
  deaths integer not null,
  preview_url text,
  constraint runs_outcome_check CHECK (outcome = ANY (ARRAY['built'::text, 'awaiting'::text, 'replied'::text])),
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_stage_check CHECK (stage = ANY (ARRAY['model'::text, 'tools'::text, 'publishing'::text])),
  constraint runs_status_check CHECK (status = ANY (ARRAY['queued'::text, 'running'::text, 'awaiting'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])),
  constraint runs_trigger_check CHECK (trigger = ANY (ARRAY['api'::text, 'stream'::text, 'queue'::text]))
);

create table scheduled_tasks (
  name text not null,
  slot_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  constraint scheduled_tasks_pkey PRIMARY KEY (name)
);

create table schema_migrations (
  number integer not null,
  name text not null,
  sha256 text not null,
  applied_at timestamp(3) with time zone default now() not null,
  took_ms integer not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table security_policies (
  org_id text not null,
  require_sso boolean not null,
  require_two_factor boolean not null,
  session_lifetime_days integer,
  allowed_ips text[] not null,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  any_packages boolean default false not null,
  constraint security_policies_pkey PRIMARY KEY (org_id),
  constraint security_policies_session_lifetime_days_check CHECK (session_lifetime_days = ANY (ARRAY[1, 7, 30]))
);

create table session (
  id text not null,
  "expiresAt" timestamp with time zone not null,
  token text not null,
  "createdAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamp with time zone not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null,
  "activeOrganizationId" text,
  "authMethod" text,
  "ssoProviderId" text,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token)
);

create table "ssoProvider" (
  id text not null,
  issuer text not null,
  "oidcConfig" text,
  "samlConfig" text,
  "userId" text,
  "providerId" text not null,
  "organizationId" text not null,
  domain text not null,
  "domainVerified" boolean not null,
  "verificationToken" text not null,
  "createdAt" timestamp(3) with time zone not null,
  constraint "ssoProvider_organizationId_key" UNIQUE ("organizationId"),
  constraint "ssoProvider_pkey" PRIMARY KEY (id),
  constraint "ssoProvider_providerId_key" UNIQUE ("providerId")
);

create table sso_domains (
  org_id text not null,
  domain text not null,
  verified_at timestamp(3) with time zone,
  constraint sso_domains_pkey PRIMARY KEY (org_id, domain)
);

create table ticket_counts (
  project_id text collate "C" not null,
  kind text not null,
  value text not null,
  slot integer not null,
  n bigint not null,
  constraint ticket_counts_kind_check CHECK (kind = ANY (ARRAY['status'::text, 'type'::text, 'priority'::text])),
  constraint ticket_counts_pkey PRIMARY KEY (project_id, kind, value, slot)
) with (fillfactor=50);

create table ticket_rollups (
  ticket_id text collate "C" not null,
  status text not null,
  n integer not null,
  children integer not null,
  constraint ticket_rollups_pkey PRIMARY KEY (ticket_id, status)
) with (fillfactor=50);

create table tickets (
  id text collate "C" not null,
  org_id text not null,
  project_id text collate "C" not null,
  title text not null,
  body text not null,
  status text not null,
  type text not null,
  priority text not null,
  due_at timestamp(3) with time zone,
  parent_id text collate "C",
  labels text[] not null,
  origin text,
  source text not null,
  url text,
  created_by text,
  updated_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  search_fold text default ''::text not null,
  is_active boolean generated always as (status <> ALL (ARRAY['done'::text, 'cancelled'::text])) stored not null,
  attachments text[] default '{}'::text[] not null,
  from_outside boolean default false not null,
  queue_refusal text,
  depends_on text[] collate "C" default '{}'::text[] not null,
  constraint tickets_pkey PRIMARY KEY (id),
  constraint tickets_priority_check CHECK (priority = ANY (ARRAY['none'::text, 'low'::text, 'medium'::text, 'high'::text, 'urgent'::text])),
  constraint tickets_queue_refusal_check CHECK (queue_refusal = ANY (ARRAY['attachments'::text, 'awaiting'::text, 'ticket_tokens'::text])),
  constraint tickets_source_check CHECK (source = ANY (ARRAY['human'::text, 'agent'::text, 'ingest'::text])),
  constraint tickets_status_check CHECK (status = ANY (ARRAY['backlog'::text, 'todo'::text, 'in_progress'::text, 'in_review'::text, 'done'::text, 'cancelled'::text])),
  constraint tickets_type_check CHECK (type = ANY (ARRAY['epic'::text, 'feature'::text, 'task'::text, 'bug'::text, 'chore'::text]))
);

create table token_limits (
  org_id text not null,
  monthly bigint,
  per_ticket bigint,
  updated_at timestamp(3) with time zone not null,
  constraint token_limits_pkey PRIMARY KEY (org_id)
);

create table token_months (
  org_id text not null,
  month text collate "C" not null,
  used bigint not null,
  constraint token_months_pkey PRIMARY KEY (org_id, month)
);

create table token_usage (
  id bigint generated always as identity not null,
  project_id text collate "C" not null,
  run_id text collate "C",
  provider text not null,
  model text not null,
  input integer not null,
  output integer not null,
  reasoning integer not null,
  cache_read integer not null,
  cache_write integer not null,
  estimated boolean not null,
  created_at timestamp(3) with time zone not null,
  counted bigint not null,
  ticket_id text collate "C",
  constraint token_usage_pkey PRIMARY KEY (id)
);

create table "twoFactor" (
  id text not null,
  secret text not null,
  "backupCodes" text not null,
  "userId" text not null,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamp with time zone,
  "lastUsedStep" bigint,
  constraint "twoFactor_pkey" PRIMARY KEY (id)
);

create table "user" (
  id text not null,
  name text not null,
  email text not null,
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "twoFactorEnabled" boolean default false,
  constraint user_email_key UNIQUE (email),
  constraint user_pkey PRIMARY KEY (id)
);

create table verification (
  id text not null,
  identifier text not null,
  value text not null,
  "expiresAt" timestamp with time zone not null,
  "createdAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  "updatedAt" timestamp with time zone default CURRENT_TIMESTAMP not null,
  constraint verification_pkey PRIMARY KEY (id)
);

create table versions (
  project_id text collate "C" not null,
  sha text collate "C" not null,
  parent_sha text,
  run_id text collate "C",
  ticket_id text collate "C",
  author text not null,
  message text not null,
  files integer not null,
  generated_by text,
  created_at timestamp(3) with time zone not null,
  constraint versions_pkey PRIMARY KEY (project_id, sha)
);

create table webhook_endpoints (
  id text collate "C" not null,
  org_id text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  last_delivery_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  created_by text,
  constraint webhook_endpoints_pkey PRIMARY KEY (id)
);

-- foreign keys

alter table account
  add constraint "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table activity
  add constraint activity_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table api_keys
  add constraint api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table api_keys
  add constraint api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table app_erasures
  add constraint app_erasures_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table app_mail_domains
  add constraint app_mail_domains_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table app_mailboxes
  add constraint app_mailboxes_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table asset_uploads
  add constraint asset_uploads_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table assets
  add constraint assets_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table attachments
  add constraint attachments_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table backups
  add constraint backups_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table build_queue
  add constraint build_queue_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table build_queue
  add constraint build_queue_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE;

alter table capabilities
  add constraint capabilities_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table capability_secrets
  add constraint capability_secrets_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table cloud_accounts
  add constraint cloud_accounts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table connections
  add constraint connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table deletion_runs
  add constraint deletion_runs_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE;

alter table deployments
  add constraint deployments_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table device_grants
  add constraint device_grants_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE SET NULL;

alter table device_grants
  add constraint device_grants_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table device_grants
  add constraint device_grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table domains
  add constraint domains_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table git_objects
  add constraint git_objects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table git_refs
  add constraint git_refs_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table help_attachments
  add constraint help_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table help_attachments
  add constraint help_attachments_message_id_fkey FOREIGN KEY (message_id) REFERENCES help_messages(id) ON DELETE CASCADE;

alter table help_attachments
  add constraint help_attachments_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table help_messages
  add constraint help_messages_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table help_messages
  add constraint help_messages_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES help_threads(id) ON DELETE CASCADE;

alter table help_threads
  add constraint help_threads_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table help_threads
  add constraint help_threads_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table history_events
  add constraint history_events_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table ideas
  add constraint ideas_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table idempotency_keys
  add constraint idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table ingest_sources
  add constraint ingest_sources_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table ingest_sources
  add constraint ingest_sources_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table invitation
  add constraint "invitation_inviterId_fkey" FOREIGN KEY ("inviterId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table invitation
  add constraint "invitation_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES organization(id) ON DELETE CASCADE;

alter table label_counts
  add constraint label_counts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table member
  add constraint "member_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES organization(id) ON DELETE CASCADE;

alter table member
  add constraint "member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table model_connections
  add constraint model_connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table moves
  add constraint moves_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table oauth_states
  add constraint oauth_states_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table organization_settings
  add constraint organization_settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table passkey
  add constraint "passkey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table pay_codes
  add constraint pay_codes_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table pay_key_checks
  add constraint pay_key_checks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table pay_products
  add constraint pay_products_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table plan_messages
  add constraint plan_messages_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table preview_errors
  add constraint preview_errors_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table preview_errors
  add constraint preview_errors_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE;

alter table project_leases
  add constraint project_leases_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table projects
  add constraint projects_model_connection_id_fkey FOREIGN KEY (model_connection_id) REFERENCES model_connections(id) ON DELETE SET NULL;

alter table projects
  add constraint projects_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table resource_tasks
  add constraint resource_tasks_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table resources
  add constraint resources_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table run_events
  add constraint run_events_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;

alter table run_inputs
  add constraint run_inputs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;

alter table run_inputs
  add constraint run_inputs_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE;

alter table run_steps
  add constraint run_steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;

alter table runs
  add constraint runs_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table runs
  add constraint runs_resumed_from_fkey FOREIGN KEY (resumed_from) REFERENCES runs(id) ON DELETE SET NULL;

alter table runs
  add constraint runs_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE;

alter table security_policies
  add constraint security_policies_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table session
  add constraint "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table "ssoProvider"
  add constraint "ssoProvider_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES organization(id) ON DELETE CASCADE;

alter table "ssoProvider"
  add constraint "ssoProvider_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE SET NULL;

alter table sso_domains
  add constraint sso_domains_org_id_fkey FOREIGN KEY (org_id) REFERENCES "ssoProvider"("organizationId") ON DELETE CASCADE;

alter table ticket_counts
  add constraint ticket_counts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table ticket_rollups
  add constraint ticket_rollups_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES tickets(id) ON DELETE CASCADE;

alter table tickets
  add constraint tickets_org_id_project_id_fkey FOREIGN KEY (org_id, project_id) REFERENCES projects(org_id, id) ON DELETE CASCADE;

alter table tickets
  add constraint tickets_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES tickets(id) ON DELETE SET NULL;

alter table token_limits
  add constraint token_limits_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table token_months
  add constraint token_months_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

alter table token_usage
  add constraint token_usage_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table "twoFactor"
  add constraint "twoFactor_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON DELETE CASCADE;

alter table versions
  add constraint versions_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;

alter table webhook_endpoints
  add constraint webhook_endpoints_created_by_fkey FOREIGN KEY (created_by) REFERENCES "user"(id) ON DELETE SET NULL;

alter table webhook_endpoints
  add constraint webhook_endpoints_org_id_fkey FOREIGN KEY (org_id) REFERENCES organization(id) ON DELETE CASCADE;

-- indexes

CREATE UNIQUE INDEX account_once ON account USING btree ("providerId", "accountId");

CREATE INDEX "account_userId_idx" ON account USING btree ("userId");

CREATE INDEX activity_page ON activity USING btree (org_id, at DESC, id DESC);

CREATE INDEX activity_project ON activity USING btree (org_id, project_id, at DESC, id DESC);

CREATE INDEX api_keys_page ON api_keys USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX app_erasures_due ON app_erasures USING btree (due_at);

CREATE INDEX app_erasures_org ON app_erasures USING btree (org_id, project_id);

CREATE INDEX app_mail_domains_domain ON app_mail_domains USING btree (org_id, domain);

CREATE INDEX asset_uploads_expired ON asset_uploads USING btree (expires_at);

CREATE INDEX asset_uploads_project ON asset_uploads USING btree (project_id);

CREATE INDEX assets_page ON assets USING btree (project_id, created_at DESC, path);

CREATE INDEX assets_unstamped ON assets USING btree (updated_at) WHERE NOT is_stamped;

CREATE INDEX build_queue_ticket ON build_queue USING btree (ticket_id);

CREATE INDEX build_starts_hour ON build_starts USING btree (org_id, created_at DESC);

CREATE INDEX deliveries_due ON deliveries USING btree (endpoint_id, next_at);

CREATE UNIQUE INDEX deployments_one_going ON deployments USING btree (project_id, tier) WHERE status = 'deploying'::text;

CREATE UNIQUE INDEX deployments_one_live ON deployments USING btree (project_id, tier) WHERE status = 'live'::text;

CREATE INDEX deployments_page ON deployments USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX device_grants_expiry ON device_grants USING btree (expires_at);

CREATE INDEX device_grants_key ON device_grants USING btree (api_key_id) WHERE api_key_id IS NOT NULL;

CREATE INDEX device_grants_org ON device_grants USING btree (org_id) WHERE org_id IS NOT NULL;

CREATE INDEX events_age ON events USING btree (created_at);

CREATE INDEX events_org ON events USING btree (org_id);

CREATE INDEX git_refs_drafts ON git_refs USING btree (created_at) WHERE name ~~ 'refs/runs/%'::text;

CREATE INDEX help_attachments_message ON help_attachments USING btree (message_id, "position");

CREATE INDEX help_attachments_org ON help_attachments USING btree (org_id);

CREATE INDEX help_attachments_waiting ON help_attachments USING btree (created_by, created_at) WHERE message_id IS NULL;

CREATE INDEX help_messages_person ON help_messages USING btree (created_by);

CREATE INDEX help_messages_thread ON help_messages USING btree (thread_id, created_at, id);

CREATE INDEX help_messages_unmailed ON help_messages USING btree (id) WHERE NOT is_mailed;

CREATE INDEX help_threads_desk ON help_threads USING btree (state, last_at DESC, id DESC);

CREATE INDEX help_threads_page ON help_threads USING btree (org_id, last_at DESC, id DESC);

CREATE INDEX help_threads_person ON help_threads USING btree (created_by);

CREATE INDEX history_events_page ON history_events USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX ideas_due ON ideas USING btree (org_id, project_id, next_at, ticket_id) WHERE state = 'queued'::text;

CREATE UNIQUE INDEX ideas_once ON ideas USING btree (source_id, external_id) WHERE external_id IS NOT NULL;

CREATE INDEX ideas_project ON ideas USING btree (project_id);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys USING btree (expires_at);

CREATE INDEX ingest_sources_page ON ingest_sources USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX ingest_sources_project ON ingest_sources USING btree (project_id);

CREATE INDEX invitation_email_idx ON invitation USING btree (email);

CREATE UNIQUE INDEX invitation_once ON invitation USING btree ("organizationId", lower(email)) WHERE status = 'pending'::text;

CREATE INDEX "invitation_organizationId_idx" ON invitation USING btree ("organizationId");

CREATE INDEX mails_age ON mails USING btree (created_at);

CREATE UNIQUE INDEX member_once ON member USING btree ("organizationId", "userId");

CREATE INDEX "member_organizationId_idx" ON member USING btree ("organizationId");

CREATE INDEX "member_userId_idx" ON member USING btree ("userId");

CREATE UNIQUE INDEX model_connections_default ON model_connections USING btree (org_id) WHERE is_default;

CREATE INDEX model_connections_org ON model_connections USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX moves_org ON moves USING btree (org_id);

CREATE INDEX oauth_states_expiry ON oauth_states USING btree (expires_at);

CREATE INDEX oauth_states_org ON oauth_states USING btree (org_id);

CREATE UNIQUE INDEX passkey_once ON passkey USING btree ("credentialID");

CREATE INDEX "passkey_userId_idx" ON passkey USING btree ("userId");

CREATE INDEX pay_codes_project ON pay_codes USING btree (project_id);

CREATE INDEX pay_products_project ON pay_products USING btree (project_id);

CREATE INDEX plan_messages_page ON plan_messages USING btree (project_id, created_at DESC, id DESC) INCLUDE (org_id, status);

CREATE UNIQUE INDEX plan_messages_running ON plan_messages USING btree (project_id) WHERE status = 'running'::text;

CREATE INDEX preview_errors_project ON preview_errors USING btree (project_id);

CREATE INDEX projects_live ON projects USING btree (org_id, live_at DESC, id DESC) WHERE lifecycle = 'live'::text;

CREATE INDEX projects_model_connection ON projects USING btree (model_connection_id) WHERE model_connection_id IS NOT NULL;

CREATE INDEX projects_page ON projects USING btree (org_id, created_at DESC, id DESC);

CREATE INDEX projects_search ON projects USING gin (org_id, name_fold gin_trgm_ops);

CREATE UNIQUE INDEX resource_tasks_one_going ON resource_tasks USING btree (project_id) WHERE status = 'going'::text;

CREATE INDEX resource_tasks_project ON resource_tasks USING btree (project_id);

CREATE UNIQUE INDEX resources_custom_domain ON resources USING btree (name) WHERE kind = 'custom_domain'::text;

CREATE INDEX resources_domain_recent ON resources USING btree (updated_at) WHERE kind = 'custom_domain'::text;

CREATE INDEX resources_production ON resources USING btree (org_id, account_id) WHERE tier = 'production'::text;

CREATE INDEX resources_project ON resources USING btree (project_id, created_at DESC);

CREATE INDEX run_inputs_run ON run_inputs USING btree (run_id);

CREATE INDEX run_inputs_ticket ON run_inputs USING btree (ticket_id, created_at, id);

CREATE INDEX runs_awaiting ON runs USING btree (org_id, created_at DESC) WHERE status = 'awaiting'::text;

CREATE INDEX runs_of_ticket ON runs USING btree (ticket_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX runs_one_active ON runs USING btree (project_id) WHERE status = ANY (ARRAY['queued'::text, 'running'::text]);

CREATE INDEX runs_page ON runs USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX runs_recent ON runs USING btree (org_id, created_at DESC) WHERE status = ANY (ARRAY['awaiting'::text, 'failed'::text, 'succeeded'::text]);

CREATE INDEX runs_resumed ON runs USING btree (resumed_from) WHERE resumed_from IS NOT NULL;

CREATE INDEX runs_unfolded ON runs USING btree (created_at) WHERE folded_at IS NULL;

CREATE INDEX session_organization ON session USING btree ("activeOrganizationId");

CREATE INDEX "session_userId_idx" ON session USING btree ("userId");

CREATE UNIQUE INDEX sso_domain_proven ON sso_domains USING btree (domain) WHERE verified_at IS NOT NULL;

CREATE INDEX sso_provider_user ON "ssoProvider" USING btree ("userId");

CREATE INDEX tickets_active_children ON tickets USING btree (parent_id, created_at DESC, id DESC) WHERE parent_id IS NOT NULL AND is_active;

CREATE INDEX tickets_active_roots ON tickets USING btree (project_id, created_at DESC, id DESC) WHERE parent_id IS NULL AND is_active;

CREATE INDEX tickets_children ON tickets USING btree (parent_id, created_at DESC, id DESC) WHERE parent_id IS NOT NULL;

CREATE INDEX tickets_due ON tickets USING btree (project_id, due_at) INCLUDE (org_id) WHERE is_active AND due_at IS NOT NULL;

CREATE INDEX tickets_labels ON tickets USING gin (project_id, labels);

CREATE INDEX tickets_page ON tickets USING btree (project_id, created_at DESC, id DESC);

CREATE INDEX tickets_roots ON tickets USING btree (project_id, created_at DESC, id DESC) WHERE parent_id IS NULL;

CREATE INDEX tickets_search ON tickets USING gin (project_id, search_fold gin_trgm_ops);

CREATE INDEX tickets_status_page ON tickets USING btree (project_id, status, created_at DESC, id DESC);

CREATE INDEX token_usage_project ON token_usage USING btree (project_id, provider, model);

CREATE INDEX token_usage_ticket ON token_usage USING btree (ticket_id) WHERE ticket_id IS NOT NULL;

CREATE UNIQUE INDEX two_factor_once ON "twoFactor" USING btree ("userId");

CREATE INDEX verification_identifier_idx ON verification USING btree (identifier);

CREATE INDEX verification_trusted_device ON verification USING btree (value) WHERE identifier ~~ 'trust-device-%'::text;

CREATE INDEX versions_page ON versions USING btree (project_id, created_at DESC, sha);

CREATE INDEX webhook_endpoints_page ON webhook_endpoints USING btree (org_id, created_at DESC, id DESC);

-- functions

CREATE OR REPLACE FUNCTION public.count_new_tickets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select project_id, kind, value, pg_backend_pid() % 8, count(*)
  from added, lateral (values ('priority', priority), ('status', status), ('type', type)) field(kind, value)
  group by project_id, kind, value order by project_id, kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  insert into label_counts as c (project_id, label, n)
  select project_id, label, count(*)
  from added, unnest(labels) label
  group by project_id, label order by project_id, label
  on conflict (project_id, label) do update set n = c.n + excluded.n;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_ticket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  project text := coalesce(new.project_id, old.project_id);
begin
  -- The counters of a project that is being deleted go with it.
  if tg_op = 'DELETE' and not exists (select from projects where id = project) then return null; end if;
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select project, kind, value, pg_backend_pid() % 8, sum(n)
  from (values
    ('priority', old.priority, -1), ('status', old.status, -1), ('type', old.type, -1),
    ('priority', new.priority, 1), ('status', new.status, 1), ('type', new.type, 1)) change(kind, value, n)
  where value is not null
  group by kind, value having sum(n) <> 0 order by kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  if old.labels is distinct from new.labels then
    insert into label_counts as c (project_id, label, n)
    select project, label, sum(n)
    from (select unnest(old.labels), -1 union all select unnest(new.labels), 1) change(label, n)
    group by label having sum(n) <> 0 order by label
    on conflict (project_id, label) do update set n = c.n + excluded.n;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_trusted_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from verification
  where value = coalesce(new."userId", old."userId") and identifier like 'trust-device-%';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.recount_tickets(wanted text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  wrong integer;
  drift integer;
begin
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select wanted, kind, value, 0, sum(n)
  from (
    select f.kind, f.value, sum(t.n) as n
    from (select status, type, priority, count(*) as n from tickets where project_id = wanted group by 1, 2, 3) t,
      lateral (values ('status', t.status), ('type', t.type), ('priority', t.priority)) f(kind, value)
    group by 1, 2
    union all
    select kind, value, -n from ticket_counts where project_id = wanted) change
  group by kind, value having sum(n) <> 0 order by kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  get diagnostics wrong = row_count;

  insert into label_counts as c (project_id, label, n)
  select wanted, label, sum(n)
  from (
    select label, count(*) as n from tickets, unnest(labels) label where project_id = wanted group by 1
    union all
    select label, -n from label_counts where project_id = wanted) change
  group by label having sum(n) <> 0 order by label
  on conflict (project_id, label) do update set n = c.n + excluded.n;
  get diagnostics drift = row_count;
  wrong := wrong + drift;
  delete from label_counts where project_id = wanted and n = 0;

  insert into ticket_rollups as r (ticket_id, status, n, children)
  with recursive above(id, status, n, children, level) as (
    select parent_id, status, count(*), count(*), 1 from tickets
    where project_id = wanted and parent_id is not null group by 1, 2
    union all
    select t.parent_id, a.status, a.n, 0, a.level + 1 from above a join tickets t on t.id = a.id
    where t.parent_id is not null and a.level < 20)
  select id, status, sum(n), sum(children)
  from (
    select id, status, n, children from above
    union all
    select r.ticket_id, r.status, -r.n, -r.children
    from ticket_rollups r join tickets t on t.id = r.ticket_id where t.project_id = wanted) change
  group by id, status having sum(n) <> 0 or sum(children) <> 0 order by id, status
  on conflict (ticket_id, status) do update set n = r.n + excluded.n, children = r.children + excluded.children;
  get diagnostics drift = row_count;
  return wrong + drift;
end $function$;

CREATE OR REPLACE FUNCTION public.roll_up_ticket()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  ticket text := coalesce(new.id, old.id);
  project text := coalesce(new.project_id, old.project_id);
begin
  if tg_op = 'DELETE' and not exists (select from projects where id = project) then return old; end if;
  perform pg_advisory_xact_lock(7, hashtext(project));
  insert into ticket_rollups as r (ticket_id, status, n, children)
  with recursive above(id, parent_id, sign, level) as (
    (select id, parent_id, -1, 1 from tickets where id = old.parent_id
     union all
     select id, parent_id, 1, 1 from tickets where id = new.parent_id)
    union all
    -- Bounded, so that a damaged tree cannot loop.
    select t.id, t.parent_id, a.sign, a.level + 1 from above a join tickets t on t.id = a.parent_id
    where a.level < 20),
  moved(sign, status, n, own) as (
    values (-1, old.status, 1, 1), (1, new.status, 1, 1)
    union all
    select sign, status, n, 0 from ticket_rollups, (values (-1), (1)) side(sign) where ticket_id = ticket)
  select a.id, m.status, sum(a.sign * m.n), coalesce(sum(a.sign * m.own) filter (where a.level = 1), 0)
  from above a join moved m on m.sign = a.sign
  group by a.id, m.status
  having sum(a.sign * m.n) <> 0 or sum(a.sign * m.own) filter (where a.level = 1) <> 0
  order by a.id, m.status
  on conflict (ticket_id, status) do update set n = r.n + excluded.n, children = r.children + excluded.children;
  return coalesce(new, old);
end $function$;

CREATE OR REPLACE FUNCTION public.settle_belongings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  maker text := coalesce((select email from "user" where id = old."userId"), old."userId");
begin
  -- The whole organization is being deleted, and its activity with it.
  if not exists (select from organization where id = old."organizationId") then
    return null;
  end if;
  with revoked as (
    delete from api_keys where org_id = old."organizationId" and created_by = old."userId"
    returning 'api_key.revoked' as action, name || ' (' || prefix || ')' as target, null as project_id
  ), kept_webhooks as (
    update webhook_endpoints set created_by = null
    where org_id = old."organizationId" and created_by = old."userId"
    -- A path may hold a token of the receiver's.
    returning 'webhook.handed_over' as action, substring(url from '^https?://[^/?#]+') as target, null as project_id
  ), kept_sources as (
    update ingest_sources set created_by = null
    where org_id = old."organizationId" and created_by = old."userId"
    returning 'ingest_source.handed_over' as action, id as target, project_id
  ), settled as (
    select * from revoked union all select * from kept_webhooks union all select * from kept_sources
  )
  insert into activity (id, org_id, at, provider, actor, action, target, status, project_id, project_name, detail,
    created_at)
  select 'act_' || left(replace(gen_random_uuid()::text, '-', ''), 26), old."organizationId", now(), 'slipway',
    'slipway', action, target, 'ok', s.project_id, p.name, maker || ' is no longer a member', now()
  from settled s left join projects p on p.org_id = old."organizationId" and p.id = s.project_id;
  return null;
end $function$;

-- triggers

CREATE TRIGGER account_ends_trusted_devices AFTER UPDATE ON account FOR EACH ROW WHEN (old.password IS DISTINCT FROM new.password) EXECUTE FUNCTION end_trusted_devices();

CREATE TRIGGER member_settles_belongings AFTER DELETE ON member FOR EACH ROW EXECUTE FUNCTION settle_belongings();

CREATE TRIGGER tickets_count AFTER DELETE ON tickets FOR EACH ROW EXECUTE FUNCTION count_ticket();

CREATE TRIGGER tickets_count_new AFTER INSERT ON tickets REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_new_tickets();

CREATE TRIGGER tickets_recount AFTER UPDATE ON tickets FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.type IS DISTINCT FROM new.type OR old.priority IS DISTINCT FROM new.priority OR old.labels IS DISTINCT FROM new.labels) EXECUTE FUNCTION count_ticket();

CREATE TRIGGER tickets_roll_up_change BEFORE UPDATE ON tickets FOR EACH ROW WHEN ((old.parent_id IS DISTINCT FROM new.parent_id OR old.status IS DISTINCT FROM new.status) AND (old.parent_id IS NOT NULL OR new.parent_id IS NOT NULL)) EXECUTE FUNCTION roll_up_ticket();

CREATE TRIGGER tickets_roll_up_gone BEFORE DELETE ON tickets FOR EACH ROW WHEN (old.parent_id IS NOT NULL) EXECUTE FUNCTION roll_up_ticket();

CREATE TRIGGER tickets_roll_up_new AFTER INSERT ON tickets FOR EACH ROW WHEN (new.parent_id IS NOT NULL) EXECUTE FUNCTION roll_up_ticket();

CREATE TRIGGER secret_ends_trusted_devices AFTER UPDATE ON "twoFactor" FOR EACH ROW WHEN (old.secret IS DISTINCT FROM new.secret) EXECUTE FUNCTION end_trusted_devices();

CREATE TRIGGER two_factor_ends_trusted_devices AFTER INSERT OR DELETE ON "twoFactor" FOR EACH ROW EXECUTE FUNCTION end_trusted_devices();
