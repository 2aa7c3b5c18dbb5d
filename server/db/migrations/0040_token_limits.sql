-- The tokens an organization allows itself, in a month and for the builds of one ticket; null: no limit.
create table token_limits (
  org_id text primary key references organization(id) on delete cascade,
  monthly bigint,
  per_ticket bigint,
  updated_at timestamptz(3) not null
);

-- Tokens an organization used in a month (UTC, `YYYY-MM`). Not a sum over token_usage: that is deleted with its project,
-- and deleting a project must not give tokens back.
create table token_months (
  org_id text not null references organization(id) on delete cascade,
  month text collate "C" not null,
  used bigint not null,
  primary key (org_id, month)
);

-- What a call counts against the limits: a token from the cache is a tenth. `ticket_id` is null unless a build used them.
alter table token_usage
  add column counted bigint not null default 0,
  add column ticket_id text collate "C";
update token_usage u set
  counted = u.input - u.cache_read + round(u.cache_read / 10.0) + u.output,
  ticket_id = (select r.ticket_id from runs r where r.id = u.run_id);
alter table token_usage alter column counted drop default;
create index token_usage_ticket on token_usage (ticket_id) where ticket_id is not null;
insert into token_months (org_id, month, used)
select p.org_id, to_char(u.created_at at time zone 'UTC', 'YYYY-MM'), sum(u.counted)
from token_usage u join projects p on p.id = u.project_id
group by 1, 2;

alter table build_queue
  drop constraint build_queue_waiting_check,
  add constraint build_queue_waiting_check check (waiting in ('model', 'allowance', 'suspended', 'tokens'));
alter table tickets
  drop constraint tickets_queue_refusal_check,
  add constraint tickets_queue_refusal_check check (queue_refusal in ('attachments', 'awaiting', 'ticket_tokens'));
