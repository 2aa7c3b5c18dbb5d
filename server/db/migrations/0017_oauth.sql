-- Sign-ins at a provider that have begun and not come back yet. The state itself is known to the browser alone.
create table oauth_states (
  state_hash text primary key,
  org_id text not null references organization(id) on delete cascade,
  user_id text not null,
  -- SHA-256 of the session token: only the browser that began may finish.
  session_hash text not null,
  provider text not null check (provider in ('cloudflare', 'github')),
  profile text not null check (profile in ('real', 'local')),
  -- The PKCE verifier, sealed.
  verifier text not null,
  -- What was asked for: an answer that names no scopes means these (RFC 6749, 5.1).
  scopes text[] not null,
  -- A path of the console, where the browser goes afterwards.
  next text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index oauth_states_expiry on oauth_states (expires_at);
create index oauth_states_org on oauth_states (org_id);

-- Until now every connection was made by a sign-in.
alter table connections add column method text not null default 'oauth' check (method in ('oauth', 'token'));

-- Every cloud account an organization has ever used: what is deployed in one can be told by name after the
-- connection is gone, and a local account that was lost is made again under its old id.
create table cloud_accounts (
  org_id text not null references organization(id) on delete cascade,
  account_id text not null,
  profile text not null check (profile in ('real', 'local')),
  name text not null,
  subdomain text,
  connected_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (org_id, account_id)
);
insert into cloud_accounts (org_id, account_id, profile, name, subdomain, connected_at, created_at)
select org_id, account_id, profile, coalesce(account_name, account_id), subdomain, created_at, created_at
from connections where provider = 'cloudflare' and account_id is not null;

-- Which account what is deployed stands in: asked before a connection goes to another one.
create index resources_production on resources (org_id, account_id) where tier = 'production';
