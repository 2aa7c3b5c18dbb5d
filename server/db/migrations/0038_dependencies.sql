-- Tickets that must be built before this one. Ids without a foreign key: a queued build whose dependency is gone has to
-- say so, and must not start because a row disappeared.
alter table tickets add column depends_on text[] collate "C" not null default '{}';
