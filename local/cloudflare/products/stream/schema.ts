/** Times are epoch milliseconds. The bytes of a video are in a file (`videos.ts`). */
export const streamSchema = `
CREATE TABLE stream_videos (
  uid TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  creator TEXT,
  meta TEXT NOT NULL,
  requires_signed_urls INTEGER NOT NULL,
  allowed_origins TEXT NOT NULL,
  max_duration_seconds INTEGER,
  upload_expires_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  -- Null while nothing was uploaded; from then on the state is a matter of time.
  uploaded_at INTEGER,
  size INTEGER NOT NULL DEFAULT 0,
  duration_seconds REAL,
  -- Why it will never be ready.
  problem TEXT
) STRICT;
CREATE INDEX stream_videos_page ON stream_videos (account_id, created_at);

CREATE TABLE stream_webhooks (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
`
