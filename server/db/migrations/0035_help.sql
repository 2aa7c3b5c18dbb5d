-- Conversations of an organization with the operator of this service.
create table help_threads (
  id text collate "C" primary key,
  org_id text not null references organization (id) on delete cascade,
  subject text not null,
  state text not null check (state in ('open', 'answered', 'closed')),
  created_by text references "user" (id) on delete set null,
  -- The plan and the project as they were, because a conversation outlives both.
  plan text not null,
  project_id text collate "C",
  project_name text,
  -- What the console says about itself, as JSON. Shown to the operator, never believed.
  console text,
  last_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index help_threads_page on help_threads (org_id, last_at desc, id desc);
create index help_threads_person on help_threads (created_by);

create table help_messages (
  id text collate "C" primary key,
  org_id text not null,
  thread_id text collate "C" not null references help_threads (id) on delete cascade,
  author text not null check (author in ('member', 'operator')),
  created_by text references "user" (id) on delete set null,
  body text not null,
  -- Whether the mail about an answer of the operator is stored; null for a member's message.
  is_mailed boolean,
  created_at timestamptz(3) not null
);
create index help_messages_thread on help_messages (thread_id, created_at, id);
create index help_messages_person on help_messages (created_by);
create index help_messages_unmailed on help_messages (id) where not is_mailed;

-- Pictures in messages. Without a message it is an upload that waits for one.
create table help_attachments (
  id text collate "C" primary key,
  org_id text not null references organization (id) on delete cascade,
  created_by text references "user" (id) on delete set null,
  message_id text collate "C" references help_messages (id) on delete cascade,
  -- Its place in the message.
  position integer,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  data bytea storage external not null,
  created_at timestamptz(3) not null
);
create index help_attachments_org on help_attachments (org_id);
create index help_attachments_message on help_attachments (message_id, position);
create index help_attachments_waiting on help_attachments (created_by, created_at) where message_id is null;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('verify', 'reset', 'invitation', 'two-factor', 'account-deleted', 'help-answered'));
