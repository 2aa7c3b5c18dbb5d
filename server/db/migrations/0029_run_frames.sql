-- What readers need to know of a run and of a frame without searching in JSON text.

-- Columns that hold JSON say so. `process_id` was never read.
alter table runs
  add column preview_url text,
  drop column process_id,
  alter column limits type json using limits::json,
  alter column input type json using input::json,
  alter column files type json using files::json,
  alter column checks type json using checks::json,
  alter column questions type json using questions::json,
  alter column error type json using error::json,
  alter column usage type json using usage::json;
alter table run_inputs alter column files type json using files::json;
alter table preview_errors alter column errors type json using errors::json;
-- Written by every commit and never read.
alter table projects drop column built_at;

-- The largest table comes last, so that it is locked shortly. Nearly all frames are deltas: as the default they need
-- no write.
alter table run_events add column type text not null default 'delta';
update run_events
set type = coalesce(substring(left(body, 80) from '^\{(?:"seq":[0-9]+,)?"type":"([a-z]+)"'), 'delta')
where left(body, 80) !~ '^\{"seq":[0-9]+,"type":"delta"';
alter table run_events alter column type drop default;
update runs set preview_url = e.body::json ->> 'url'
from run_events e
where e.run_id = runs.id and e.type = 'preview';
