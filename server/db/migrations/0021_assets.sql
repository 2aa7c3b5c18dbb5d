-- Files an organization gives its apps. The bytes lie in the connected cloud account, under their path.

create table assets (
  org_id text not null,
  project_id text collate "C" not null,
  path text collate "C" not null,
  name text not null,
  size_bytes integer not null,
  content_type text not null,
  -- Who may see it, as JSON.
  access text not null,
  -- False while the object in the account may still carry an older access.
  is_stamped boolean not null,
  -- Where the bytes are: another account may be connected later.
  account_id text not null,
  -- When the account stored them, by its own clock: of two uploads to one path the later one counts.
  stored_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (project_id, path),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index assets_page on assets (project_id, created_at desc, path);
create index assets_unstamped on assets (updated_at) where not is_stamped;

-- Uploads that were opened: what was announced, until it is finalized and its token has expired.
create table asset_uploads (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  path text not null,
  account_id text not null,
  expires_at timestamptz(3) not null,
  finalized_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index asset_uploads_project on asset_uploads (project_id);
create index asset_uploads_expired on asset_uploads (expires_at);
