/** Used tokens are stored, because a token is valid once. Times are epoch milliseconds. */
export const turnstileSchema = `
CREATE TABLE turnstile_widgets (
  sitekey TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  domains TEXT NOT NULL,
  mode TEXT NOT NULL,
  secret TEXT NOT NULL UNIQUE,
  -- Accepted beside the new one until then, after a rotation that does not end it at once.
  former_secret TEXT,
  former_until INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX turnstile_widgets_account ON turnstile_widgets (account_id, name);
CREATE TABLE turnstile_tokens (
  id TEXT PRIMARY KEY,
  idempotency_key TEXT,
  used_at INTEGER NOT NULL
) STRICT;
`
