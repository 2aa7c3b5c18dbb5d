-- Archived and deleted projects; searching them by name.

-- Set by the first DELETE: what stands in the cloud account goes first, over several calls if need be, and until
-- the row goes too nothing new is built or shipped.
alter table projects add column deleting_at timestamptz(3);

create extension if not exists pg_trgm;
create extension if not exists btree_gin;
-- An organization's own names only: without org_id a common word would find every tenant's rows first.
create index projects_search on projects using gin (org_id, name_fold gin_trgm_ops);
