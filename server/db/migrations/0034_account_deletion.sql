-- Deletions of accounts that have begun, with what their steps did so far. The row goes with the person, in the last step.
create table deletion_runs (
  user_id text primary key references "user" (id) on delete cascade,
  spent_ms integer not null,
  -- Resources removed from cloud accounts.
  cleared integer not null,
  created_at timestamptz(3) not null
);

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('verify', 'reset', 'invitation', 'two-factor', 'account-deleted'));
