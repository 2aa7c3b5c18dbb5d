-- What people attach to a ticket or a message. The bytes lie in the connected cloud account, under their hash.

create table attachments (
  org_id text not null,
  project_id text collate "C" not null,
  sha256 text collate "C" not null,
  media_type text not null check (media_type in
    ('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf')),
  size_bytes integer not null,
  -- Where the bytes are: another account may be connected later.
  account_id text not null,
  created_at timestamptz(3) not null,
  primary key (project_id, sha256),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);

-- Keys given with the sentence a ticket was captured from: they go into each of its builds.
alter table tickets add column attachments text[] not null default '{}';
