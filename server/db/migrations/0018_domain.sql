-- The host name a project is to have. Whether it leads there says the registry (resources, kind custom_domain).
create table domains (
  project_id text collate "C" primary key,
  org_id text not null,
  hostname text collate "C" not null,
  -- What the last look into the account found (JSON) and when that was.
  facts text,
  seen_at timestamptz(3),
  -- The provider looks at name servers when asked to, but not often.
  zone_checked_at timestamptz(3),
  -- Where the app answers once its certificate is there; null until then.
  url text,
  -- Why the last attempt to attach it failed.
  problem text,
  -- Who is changing it in the account, and until when that is believed.
  lease text,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  -- Two projects of one organization cannot want the same; another organization's wish proves nothing yet.
  unique (org_id, hostname),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
-- A host name leads to one project, whoever it belongs to.
create unique index resources_custom_domain on resources (name) where kind = 'custom_domain';
-- The certificates of the last day's are waited for.
create index resources_domain_recent on resources (updated_at) where kind = 'custom_domain';
