export const pushSchema = `
CREATE TABLE push_devices (
  id TEXT PRIMARY KEY,
  -- Base64url: both halves of the device's pair, its secret, and the key of the app that may send.
  private_key TEXT NOT NULL,
  public_key TEXT NOT NULL,
  auth TEXT NOT NULL,
  sender_key TEXT NOT NULL,
  -- What every message to it is answered with; null: it is delivered.
  status INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE push_messages (
  id TEXT PRIMARY KEY,
  device_id TEXT NOT NULL REFERENCES push_devices (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  content TEXT NOT NULL,
  ttl_seconds INTEGER NOT NULL,
  urgency TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
`
