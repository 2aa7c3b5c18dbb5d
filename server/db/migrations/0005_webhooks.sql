-- Webhook endpoints and the deliveries that are still open.

create table webhook_endpoints (
  id text collate "C" primary key,
  org_id text not null references organization(id) on delete cascade,
  url text not null,
  -- Event names, or '*' alone.
  events text[] not null,
  secret text not null,
  last_delivery_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index webhook_endpoints_page on webhook_endpoints (org_id, created_at desc, id desc);

-- A row per event and endpoint until it was delivered or given up. No foreign keys: each would lock its parent's
-- row in every transaction that fires an event. Rows an endpoint leaves behind are never claimed and purged.
create table deliveries (
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  -- How many attempts have ended.
  attempt integer not null,
  next_at timestamptz(3) not null,
  -- While an attempt is under way; the process is a number of the table processes.
  claimed_until timestamptz(3),
  claimed_by integer,
  primary key (event_id, endpoint_id)
);
-- Claims change no indexed column, so they stay within the row's page.
create index deliveries_due on deliveries (endpoint_id, next_at);
-- Rows live for milliseconds: a share of the table's size would let the dead pile up.
alter table deliveries set (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
