-- Reading the activity log by project and time.
create index activity_project on activity (org_id, project_id, at desc, id desc);
alter table activity drop constraint activity_provider_check;
alter table activity add constraint activity_provider_check
  check (provider in ('cloudflare', 'github', 'stripe', 'slipway'));

-- When each housekeeping task was last due and begun: every process asks here before it sends one to be run.
create table scheduled_tasks (
  name text primary key,
  slot_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
