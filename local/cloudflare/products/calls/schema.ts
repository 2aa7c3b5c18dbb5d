/** Apps of the media server and TURN keys, which have the same fields. Times are epoch milliseconds. */
export const callsSchema = `
CREATE TABLE calls_items (
  uid TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('apps', 'turn_keys')),
  name TEXT NOT NULL,
  secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX calls_items_account ON calls_items (account_id, kind, created_at);
`
