-- While this table has a row, no build of the installation is started.
create table build_pause (
  id integer primary key default 1 check (id = 1),
  reason text not null,
  created_at timestamptz(3) not null
);
