-- {rows} tickets in 10 projects of organization 1: bodies of 60 words, one "needle<n>" word in every 1,000 rows,
-- and a tree of two levels: every other block of four is below the project's first ticket of the 20,000 rows, which
-- gives such a ticket 1,000 children.
insert into projects (id, org_id, name, name_fold, slug, created_at, updated_at)
select 'prj_' || lpad(p::text, 26, '0'), 'org_1', 'Project ' || p, 'project ' || p, 'project-' || p,
  timestamptz '2026-01-01' + make_interval(hours => p), timestamptz '2026-01-01'
from generate_series(0, 9) p;

-- A million calls of the counting triggers would take minutes; the counters are filled once at the end. The text
-- index is made at the end too, which takes a fraction of the time.
alter table tickets disable trigger user;
drop index tickets_search, tickets_labels;

insert into tickets (id, org_id, project_id, title, body, status, type, priority, due_at, parent_id, labels, source,
  created_by, created_at, updated_at, search_fold)
select 'tkt_' || lpad(n::text, 26, '0'), 'org_1', 'prj_' || lpad((n % 10)::text, 26, '0'),
  t.title, b.body,
  (array['todo', 'in_progress', 'in_review', 'done'])[1 + (n / 10) % 4],
  (array['feature', 'task', 'bug', 'chore'])[1 + (n / 7) % 4],
  (array['none', 'low', 'medium', 'high', 'urgent'])[1 + (n / 3) % 5],
  case when n % 50 = 0 then timestamptz '2026-06-01' + make_interval(secs => n) end,
  case when n / 40 % 2 = 1 then 'tkt_' || lpad((n / 20000 * 20000 + n % 10)::text, 26, '0') end,
  array['area-' || n % 12, 'team-' || n % 5], 'human', 'user_bench',
  timestamptz '2026-01-01' + make_interval(secs => n), timestamptz '2026-01-01' + make_interval(secs => n),
  lower(t.title || E'\n' || b.body)
from generate_series(0, {rows} - 1) n,
  (select string_to_array('account address alert amount answer approval archive balance board budget calendar card
    cart catalog channel chart client comment contact contract coupon currency customer dashboard date delivery
    device discount document draft email event export feature field filter form gallery group history image
    import inbox index invoice item label language layout ledger limit link list location login map member menu
    message metric mobile note order owner', ' ') as list) raw,
  lateral (select array_remove(raw.list, '') as list) w,
  lateral (select 'Ticket ' || n || ' about the ' || w.list[1 + n % 64] as title) t,
  lateral (
    select string_agg(case when i = 30 and n % 1000 = 0 then 'needle' || n / 1000
      else w.list[1 + (n * 7 + i * 13 + i * i * (n % 5)) % 64] end, ' ' order by i) as body
    from generate_series(1, 60) i) b;

set maintenance_work_mem = '512MB';
create index tickets_search on tickets using gin (project_id, search_fold gin_trgm_ops);
create index tickets_labels on tickets using gin (project_id, labels);
alter table tickets enable trigger user;
select recount_tickets(id) from projects;
