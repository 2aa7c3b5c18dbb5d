/** Columns have the units of the provider: some are seconds, some milliseconds. */
export const queueSchema = `
CREATE TABLE queues (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  delivery_delay_s INTEGER NOT NULL,
  is_paused INTEGER NOT NULL,
  retention_s INTEGER NOT NULL,
  -- Kept by the triggers below: every send answers them, and counting a million messages takes too long.
  backlog_count INTEGER NOT NULL DEFAULT 0,
  backlog_bytes INTEGER NOT NULL DEFAULT 0,
  purged_at INTEGER,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE queue_consumers (
  -- A queue has one consumer at most.
  queue_id TEXT PRIMARY KEY REFERENCES queues (id) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('worker', 'http_pull')),
  script_id TEXT REFERENCES scripts (id) ON DELETE CASCADE,
  dead_letter_queue TEXT,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_consumers_script ON queue_consumers (script_id);

CREATE TABLE queue_messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  queue_id TEXT NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  format TEXT NOT NULL CHECK (format IN ('text', 'json', 'bytes', 'v8')),
  body BLOB NOT NULL,
  -- Deliveries that failed.
  failures INTEGER NOT NULL DEFAULT 0,
  -- 'worker' while a consumer has it; a random text while it is pulled.
  lease TEXT,
  sent_at INTEGER NOT NULL,
  visible_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX queue_messages_due ON queue_messages (queue_id, visible_at, seq);
CREATE INDEX queue_messages_age ON queue_messages (queue_id, seq);
CREATE INDEX queue_messages_expiry ON queue_messages (expires_at);

CREATE TRIGGER queue_messages_added AFTER INSERT ON queue_messages BEGIN
  UPDATE queues SET backlog_count = backlog_count + 1, backlog_bytes = backlog_bytes + length(NEW.body)
   WHERE id = NEW.queue_id;
END;
CREATE TRIGGER queue_messages_removed AFTER DELETE ON queue_messages BEGIN
  UPDATE queues SET backlog_count = backlog_count - 1, backlog_bytes = backlog_bytes - length(OLD.body)
   WHERE id = OLD.queue_id;
END;
`
