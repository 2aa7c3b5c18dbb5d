-- Tickets at scale: search text, page indexes, counters and rollups kept by triggers.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

alter table tickets
  -- Title and body, folded by the writer (server/tickets/insert-ticket.ts) so that search answers alike on every
  -- server locale. Rows from before this migration are folded here, by the nearest thing the server has.
  add column search_fold text not null default '',
  add column is_active boolean not null generated always as (status not in ('done', 'cancelled')) stored;
update tickets set search_fold = lower(normalize(title || E'\n' || body, nfkc));

-- Every page reads one of these in order. The roots need a partial index of their own: `parent_id is null` is a
-- condition the planner does not use for ordering, and a million tickets would be sorted for each page.
create index tickets_roots on tickets (project_id, created_at desc, id desc) where parent_id is null;
create index tickets_active_roots on tickets (project_id, created_at desc, id desc)
  where parent_id is null and is_active;
-- A parent belongs to one project. Led by the parent alone, the index also serves the foreign key.
drop index tickets_children;
create index tickets_children on tickets (parent_id, created_at desc, id desc) where parent_id is not null;
create index tickets_active_children on tickets (parent_id, created_at desc, id desc)
  where parent_id is not null and is_active;
create index tickets_status_page on tickets (project_id, status, created_at desc, id desc);
-- Carries all that counting the overdue ones asks for, so that no row is read.
create index tickets_due on tickets (project_id, due_at) include (org_id) where is_active and due_at is not null;
create index tickets_search on tickets using gin (project_id, search_fold gin_trgm_ops);
create index tickets_labels on tickets using gin (project_id, labels);

-- Tickets of a project by status, type and priority. Each value has eight slots, chosen by the writer's process and
-- summed on reading, so that the writers of one project do not queue on one row until each other's commit.
create table ticket_counts (
  project_id text collate "C" not null references projects(id) on delete cascade,
  kind text not null check (kind in ('status', 'type', 'priority')),
  value text not null,
  slot integer not null,
  n bigint not null,
  primary key (project_id, kind, value, slot)
) with (fillfactor = 50);

create table label_counts (
  project_id text collate "C" not null references projects(id) on delete cascade,
  label text collate "C" not null,
  n bigint not null,
  primary key (project_id, label)
) with (fillfactor = 50);

-- What lies below a ticket, by status: `n` all descendants, `children` those directly below. A ticket nothing ever
-- hung below has no row.
create table ticket_rollups (
  ticket_id text collate "C" not null references tickets(id) on delete cascade,
  status text not null,
  n integer not null,
  children integer not null,
  primary key (ticket_id, status)
) with (fillfactor = 50);

-- Rows are taken in the order of their key, so that two writers cannot wait for each other.
create function count_ticket() returns trigger language plpgsql as $$
declare
  project text := coalesce(new.project_id, old.project_id);
begin
  -- The counters of a project that is being deleted go with it.
  if tg_op = 'DELETE' and not exists (select from projects where id = project) then return null; end if;
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select project, kind, value, pg_backend_pid() % 8, sum(n)
  from (values
    ('priority', old.priority, -1), ('status', old.status, -1), ('type', old.type, -1),
    ('priority', new.priority, 1), ('status', new.status, 1), ('type', new.type, 1)) change(kind, value, n)
  where value is not null
  group by kind, value having sum(n) <> 0 order by kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  if old.labels is distinct from new.labels then
    insert into label_counts as c (project_id, label, n)
    select project, label, sum(n)
    from (select unnest(old.labels), -1 union all select unnest(new.labels), 1) change(label, n)
    group by label having sum(n) <> 0 order by label
    on conflict (project_id, label) do update set n = c.n + excluded.n;
  end if;
  return null;
end $$;

create trigger tickets_count after insert or delete on tickets for each row execute function count_ticket();
create trigger tickets_recount after update on tickets for each row
  when ((old.status, old.type, old.priority, old.labels)
    is distinct from (new.status, new.type, new.priority, new.labels))
  execute function count_ticket();

-- Takes a ticket and all below it out of what its old ancestors sum up and into what its new ones do. A change of the
-- tree between the look at the ancestors and the commit would leave the sums wrong, so all of them pass one lock for
-- each project (7 is LOCK_CLASS.ticketTree in server/db/locks.ts). It comes last, after any lock of a ticket's row.
create function roll_up_ticket() returns trigger language plpgsql as $$
declare
  ticket text := coalesce(new.id, old.id);
  project text := coalesce(new.project_id, old.project_id);
begin
  if tg_op = 'DELETE' and not exists (select from projects where id = project) then return old; end if;
  perform pg_advisory_xact_lock(7, hashtext(project));
  insert into ticket_rollups as r (ticket_id, status, n, children)
  with recursive above(id, parent_id, sign, level) as (
    (select id, parent_id, -1, 1 from tickets where id = old.parent_id
     union all
     select id, parent_id, 1, 1 from tickets where id = new.parent_id)
    union all
    -- Bounded, so that a damaged tree cannot loop.
    select t.id, t.parent_id, a.sign, a.level + 1 from above a join tickets t on t.id = a.parent_id
    where a.level < 20),
  moved(sign, status, n, own) as (
    values (-1, old.status, 1, 1), (1, new.status, 1, 1)
    union all
    select sign, status, n, 0 from ticket_rollups, (values (-1), (1)) side(sign) where ticket_id = ticket)
  select a.id, m.status, sum(a.sign * m.n), coalesce(sum(a.sign * m.own) filter (where a.level = 1), 0)
  from above a join moved m on m.sign = a.sign
  group by a.id, m.status
  having sum(a.sign * m.n) <> 0 or sum(a.sign * m.own) filter (where a.level = 1) <> 0
  order by a.id, m.status
  on conflict (ticket_id, status) do update set n = r.n + excluded.n, children = r.children + excluded.children;
  return coalesce(new, old);
end $$;

-- Before a change and not after it: each row of a statement then finds the tree as the row before has left it. A new
-- ticket has nothing below it yet, and its parent may come later in the same statement.
create trigger tickets_roll_up_new after insert on tickets for each row
  when (new.parent_id is not null) execute function roll_up_ticket();
create trigger tickets_roll_up_change before update on tickets for each row
  when ((old.parent_id, old.status) is distinct from (new.parent_id, new.status)
    and (old.parent_id is not null or new.parent_id is not null))
  execute function roll_up_ticket();
create trigger tickets_roll_up_gone before delete on tickets for each row
  when (old.parent_id is not null) execute function roll_up_ticket();

-- Compares the counters of a project with its tickets, adds what is missing and answers how many were wrong. Both are
-- read in one snapshot and the difference is added, not set: writers beside it need not wait and lose nothing.
create function recount_tickets(wanted text) returns integer language plpgsql as $$
declare
  wrong integer;
  drift integer;
begin
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select wanted, kind, value, 0, sum(n)
  from (
    select f.kind, f.value, sum(t.n) as n
    from (select status, type, priority, count(*) as n from tickets where project_id = wanted group by 1, 2, 3) t,
      lateral (values ('status', t.status), ('type', t.type), ('priority', t.priority)) f(kind, value)
    group by 1, 2
    union all
    select kind, value, -n from ticket_counts where project_id = wanted) change
  group by kind, value having sum(n) <> 0 order by kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  get diagnostics wrong = row_count;

  insert into label_counts as c (project_id, label, n)
  select wanted, label, sum(n)
  from (
    select label, count(*) as n from tickets, unnest(labels) label where project_id = wanted group by 1
    union all
    select label, -n from label_counts where project_id = wanted) change
  group by label having sum(n) <> 0 order by label
  on conflict (project_id, label) do update set n = c.n + excluded.n;
  get diagnostics drift = row_count;
  wrong := wrong + drift;
  delete from label_counts where project_id = wanted and n = 0;

  insert into ticket_rollups as r (ticket_id, status, n, children)
  with recursive above(id, status, n, children, level) as (
    select parent_id, status, count(*), count(*), 1 from tickets
    where project_id = wanted and parent_id is not null group by 1, 2
    union all
    select t.parent_id, a.status, a.n, 0, a.level + 1 from above a join tickets t on t.id = a.id
    where t.parent_id is not null and a.level < 20)
  select id, status, sum(n), sum(children)
  from (
    select id, status, n, children from above
    union all
    select r.ticket_id, r.status, -r.n, -r.children
    from ticket_rollups r join tickets t on t.id = r.ticket_id where t.project_id = wanted) change
  group by id, status having sum(n) <> 0 or sum(children) <> 0 order by id, status
  on conflict (ticket_id, status) do update set n = r.n + excluded.n, children = r.children + excluded.children;
  get diagnostics drift = row_count;
  return wrong + drift;
end $$;

-- What exists already: one pass over all tickets of a project.
select recount_tickets(id) from projects;
