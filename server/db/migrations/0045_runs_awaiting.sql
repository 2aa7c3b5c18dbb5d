-- no transaction
-- A question stays in the attention list until it is answered, however old its build is. Without an index they are
-- looked for among all builds of the organization; a build leaves this one when it is answered.
create index concurrently runs_awaiting on runs (org_id, created_at desc) where status = 'awaiting';
