-- The deletion of an organization selects its events while it holds locks that others wait for: without an index it reads
-- the events of all organizations. An entry costs a write a few microseconds and 7 bytes, as equal keys share a place.
create index events_org on events (org_id);
