/** The column `room` names a Stripe account together with its mode, live or test. Times are milliseconds since 1970. */
export const stripeSchema = `
CREATE TABLE stripe_objects (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  room TEXT NOT NULL,
  id TEXT NOT NULL,
  object TEXT NOT NULL,
  -- As the provider shows it.
  body TEXT NOT NULL,
  -- What it knows and does not show.
  hidden TEXT NOT NULL,
  UNIQUE (room, id)
) STRICT;
CREATE INDEX stripe_objects_kind ON stripe_objects (room, object, seq);

CREATE TABLE stripe_keys (
  hash TEXT PRIMARY KEY,
  room TEXT NOT NULL,
  -- The end of the key, to recognize it by.
  ending TEXT NOT NULL,
  -- Resource to 'read' or 'write'; null for a key that may do everything.
  permissions TEXT,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE stripe_idempotency (
  room TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  response TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (room, key)
) STRICT;

CREATE TABLE stripe_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  room TEXT NOT NULL,
  event_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Null: delivered or given up.
  due_at INTEGER,
  -- The status of the last response; 0 without one.
  last_status INTEGER
) STRICT;
CREATE INDEX stripe_deliveries_due ON stripe_deliveries (due_at) WHERE due_at IS NOT NULL;
`

/**
 * Makes ids unique within each kind of object: apps choose the ids of products and coupons, so a product and a coupon may have the same id.
 */
export const stripeKindsSchema = `
CREATE TABLE stripe_objects_by_kind (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  room TEXT NOT NULL,
  id TEXT NOT NULL,
  object TEXT NOT NULL,
  body TEXT NOT NULL,
  hidden TEXT NOT NULL,
  UNIQUE (room, id, object)
) STRICT;
INSERT INTO stripe_objects_by_kind SELECT seq, room, id, object, body, hidden FROM stripe_objects;
DROP TABLE stripe_objects;
ALTER TABLE stripe_objects_by_kind RENAME TO stripe_objects;
CREATE INDEX stripe_objects_kind ON stripe_objects (room, object, seq);
`
