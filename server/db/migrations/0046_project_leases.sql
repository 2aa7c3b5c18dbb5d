-- Leases of a project, so that two processes do not change the same thing in the account at the same time. A custom
-- domain had its own columns for this.
create table project_leases (
  project_id text collate "C" not null,
  org_id text not null,
  purpose text not null,
  holder text not null,
  leased_until timestamptz(3) not null,
  primary key (project_id, purpose),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
alter table domains drop column lease, drop column leased_until;
