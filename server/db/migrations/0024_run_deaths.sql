-- How many processes died under a run and the runs it resumes. After three it is given up: it may be what kills them.
-- Attempts that a stopping process or an absent database ended are not counted.
alter table runs add column deaths integer not null default 0;
alter table runs alter column deaths drop default;
