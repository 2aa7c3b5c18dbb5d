/** One row for each cron trigger. A worker cannot have the same expression twice. Times are epoch milliseconds. */
export const cronSchema = `
CREATE TABLE schedules (
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  cron TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (script_id, cron)
) STRICT;
`
