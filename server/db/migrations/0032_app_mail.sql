-- The domain an app sends mail from. Whether it may says the registry (resources, kind sending_domain) and the account.
create table app_mail_domains (
  project_id text collate "C" primary key,
  org_id text not null,
  -- The account of the zone: after a move to another one it counts no more.
  account_id text not null,
  zone_id text not null,
  domain text collate "C" not null,
  local_part text not null,
  -- Set once the domain was verified; the live worker may send from this address only.
  from_address text,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
-- Projects that share a zone.
create index app_mail_domains_domain on app_mail_domains (org_id, domain);

-- Addresses at that domain whose mail becomes records of the app.
create table app_mailboxes (
  project_id text collate "C" not null,
  org_id text not null,
  local_part text collate "C" not null,
  collection text not null,
  notify boolean not null,
  primary key (project_id, local_part),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
