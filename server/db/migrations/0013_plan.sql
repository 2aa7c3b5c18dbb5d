-- The plan thread.

-- What was said. A turn is the row of the agent's reply: it is there from the start of the turn, shown once it is
-- over, and says itself whether anybody is still working on it.
create table plan_messages (
  id text collate "C" primary key,
  org_id text not null,
  project_id text collate "C" not null,
  role text not null check (role in ('user', 'agent')),
  status text not null check (status in ('running', 'complete', 'stopped', 'failed')),
  text text not null,
  -- Who spoke; of a reply, whoever asked for it.
  actor text,
  -- JSON: a failed reply's kind and message, the keys that came along, the tokens of a reply.
  error text,
  attachments text not null,
  usage text,
  -- Tickets this exchange has written, over all its attempts, in the order of their first writing.
  tickets text[] not null,
  provider text,
  model text,
  -- Raised by each attempt: what an older one still does changes nothing.
  lease integer not null,
  heartbeat_at timestamptz(3),
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
-- Carries all that counting the messages of a thread asks for, so that no row is read.
create index plan_messages_page on plan_messages (project_id, created_at desc, id desc) include (org_id, status);
-- One turn per project, and what is looked through for turns whose process died.
create unique index plan_messages_running on plan_messages (project_id) where status = 'running';

-- Written by the Plan agent; copied into the repository by each build commit.
alter table projects add column readme text;
