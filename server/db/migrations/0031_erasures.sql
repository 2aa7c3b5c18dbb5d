-- Erasures of people of live apps that have begun and are not known to be done. The row is written before the app is
-- called and deleted with the entry in the activity log, so a process that dies in between loses none.
create table app_erasures (
  org_id text not null,
  project_id text collate "C" not null,
  -- The person's id in the app.
  user_id text not null,
  -- Who asked for it, as the activity log names them.
  actor text not null,
  -- How many calls of the app have begun.
  attempts integer not null default 1,
  -- When the next call is due; until then one may be under way.
  due_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (project_id, user_id),
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index app_erasures_org on app_erasures (org_id, project_id);
create index app_erasures_due on app_erasures (due_at);

-- Entries of earlier versions name the people who were erased by their ids.
update activity a
set target = replace(a.target, e.target, 'erased'), detail = replace(a.detail, e.target, 'erased')
from (
  select distinct org_id, project_id, target from activity
  where action = 'app_user.erase' and target ~ '^u_[a-z0-9]{26}$'
) e
where a.org_id = e.org_id and a.project_id = e.project_id
  and (strpos(a.target, e.target) > 0 or strpos(a.detail, e.target) > 0);
