-- Projects that live in a stand-in account of the local cloud while another account is connected.
create table moves (
  project_id text collate "C" primary key,
  org_id text not null,
  -- The account the project is moving away from.
  from_account text not null,
  -- What becomes of the live app's records and files.
  live_data text not null check (live_data in ('copy', 'leave')),
  -- Waiting: it lives there until its next ship. Moving: a ship is taking it along. Removing: it serves from the
  -- connected account, and what it left behind is being removed.
  state text not null default 'waiting' check (state in ('waiting', 'moving', 'removing')),
  -- The ship that takes it along.
  deployment_id text collate "C",
  -- Where the copy of that ship stands, as JSON; null before its first page.
  cursor text,
  records integer not null default 0,
  files integer not null default 0,
  -- The app over there refuses changes; true from before it is told so until it has been told otherwise.
  is_held boolean not null default false,
  -- Why what is left could not be removed yet.
  problem text,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index moves_org on moves (org_id);
