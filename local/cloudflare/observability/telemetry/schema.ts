const COLUMN_NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1)

export const BLOB_COLUMNS = COLUMN_NUMBERS.map((n) => `blob${n}`)
export const DOUBLE_COLUMNS = COLUMN_NUMBERS.map((n) => `double${n}`)

/**
 * Times are epoch milliseconds. Rows are inserted nearly in the order of time, so the oldest are deleted by
 * `id`. After a crash the newest rows may be missing, because they are written in batches.
 */
export const telemetrySchema = `
CREATE TABLE IF NOT EXISTS invocations (
  account_id TEXT NOT NULL,
  script TEXT NOT NULL,
  minute INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  wall_ms REAL NOT NULL,
  PRIMARY KEY (account_id, script, minute)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS invocations_age ON invocations (minute);

CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  script TEXT NOT NULL,
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  -- cf-worker: a line the code wrote; cf-worker-event: what became of an invocation.
  type TEXT NOT NULL,
  event_type TEXT NOT NULL,
  outcome TEXT NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL,
  error TEXT,
  fingerprint TEXT,
  trigger_name TEXT,
  url TEXT,
  status_code INTEGER,
  -- JSON: the fields of a line that is an object, else its text.
  source TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_script ON events (account_id, script, at);
CREATE INDEX IF NOT EXISTS events_level ON events (account_id, level, at);

CREATE TABLE IF NOT EXISTS points (
  id INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  dataset TEXT NOT NULL,
  at INTEGER NOT NULL,
  index1 TEXT NOT NULL,
  ${BLOB_COLUMNS.map((name) => `${name} TEXT NOT NULL`).join(', ')},
  ${DOUBLE_COLUMNS.map((name) => `${name} REAL NOT NULL`).join(', ')}
) STRICT;
CREATE INDEX IF NOT EXISTS points_dataset ON points (account_id, dataset, at);
`
