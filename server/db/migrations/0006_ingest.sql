-- Ingest sources and the ideas they accepted.

create table ingest_sources (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  secret text not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index ingest_sources_page on ingest_sources (org_id, created_at desc, id desc);
create index ingest_sources_project on ingest_sources (project_id);

-- An idea gets the id of its ticket when it is accepted. A captured one is kept, without its text, only when its
-- sender gave it an id: so that the same id is known again.
create table ideas (
  ticket_id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  -- No foreign key: an accepted idea outlives its source.
  source_id text collate "C" not null,
  external_id text,
  title text not null,
  body text not null,
  url text,
  state text not null check (state in ('queued', 'captured', 'failed')),
  -- How often making the ticket has failed.
  attempt integer not null,
  next_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create unique index ideas_once on ideas (source_id, external_id) where external_id is not null;
-- The work list: as small as what is waiting, however many ideas there were.
create index ideas_due on ideas (org_id, project_id, next_at, ticket_id) where state = 'queued';
-- What the foreign key needs to find the ideas of a deleted project.
create index ideas_project on ideas (project_id);
