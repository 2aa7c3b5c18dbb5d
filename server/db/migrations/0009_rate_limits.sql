-- Counters of rate limits that several processes share. The limiter library writes the rows by position, so the
-- order of the columns is its own. Unlogged: after a crash of the database a window begins anew, and no more.
create unlogged table rate_limits (
  key text collate "C" primary key,
  points integer not null,
  -- Milliseconds since the epoch, as the library counts.
  expire bigint not null
  -- Rows are updated all the time: room in the page spares the index.
) with (fillfactor = 50);
