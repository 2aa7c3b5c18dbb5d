-- New tickets are counted once per statement instead of once per ticket: a statement that stores many changes each
-- counter once. The old trigger keeps counting deletions.
create function count_new_tickets() returns trigger language plpgsql as $$
begin
  insert into ticket_counts as c (project_id, kind, value, slot, n)
  select project_id, kind, value, pg_backend_pid() % 8, count(*)
  from added, lateral (values ('priority', priority), ('status', status), ('type', type)) field(kind, value)
  group by project_id, kind, value order by project_id, kind, value
  on conflict (project_id, kind, value, slot) do update set n = c.n + excluded.n;
  insert into label_counts as c (project_id, label, n)
  select project_id, label, count(*)
  from added, unnest(labels) label
  group by project_id, label order by project_id, label
  on conflict (project_id, label) do update set n = c.n + excluded.n;
  return null;
end $$;

drop trigger tickets_count on tickets;
create trigger tickets_count after delete on tickets for each row execute function count_ticket();
create trigger tickets_count_new after insert on tickets referencing new table as added
  for each statement execute function count_new_tickets();
