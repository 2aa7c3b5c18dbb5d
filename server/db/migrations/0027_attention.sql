-- What needs a person is looked for among an organization's newest builds.
create index runs_recent on runs (org_id, created_at desc) where status in ('awaiting', 'failed', 'succeeded');
-- Builds of an hour have rows of their own since 0026.
drop index runs_hour;
