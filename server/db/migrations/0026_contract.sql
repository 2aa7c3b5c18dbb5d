-- Why a ticket left the build queue without a build, and what a queued one waits for.
alter table tickets add column queue_refusal text check (queue_refusal in ('attachments', 'awaiting'));
alter table build_queue
  add column waiting text check (waiting in ('model', 'allowance', 'suspended')),
  add column waiting_until timestamptz(3);

-- Labels that differ only in case are one label: the spelling that came first is shown.
alter table label_counts add column first_place bigint generated always as identity;

-- A capability was switched off, and what serves still has its bindings.
alter table projects add column rebind_due boolean not null default false;
-- Some were switched off while no cloud was connected, and the job that should have told the app gave up.
update projects p set rebind_due = true
where exists (select from capabilities c where c.project_id = p.id and not c.enabled);

-- Builds an organization started: runs are deleted with their project, and deleting one must not give builds back.
-- Rows of the last hour are counted, older ones are purged.
create table build_starts (
  id bigint generated always as identity primary key,
  org_id text not null,
  created_at timestamptz(3) not null
);
create index build_starts_hour on build_starts (org_id, created_at desc);
insert into build_starts (org_id, created_at)
select org_id, created_at from runs where attempt = 1 and created_at > now() - interval '1 hour';

-- An entry of the history is no event, and its actor is a user's id: ships and rollbacks kept an e-mail address, and
-- the rest may have kept an API key's id.
update history_events set id = 'his_' || substr(id, 5) where id like 'evt\_%';
update history_events h set actor = (select u.id from "user" u where u.id = h.actor or u.email = h.actor limit 1)
where h.actor is not null;
