/** Times are epoch milliseconds. */
export const emailSchema = `
CREATE TABLE sending_domains (
  tag TEXT PRIMARY KEY,
  zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (zone_id, name)
) STRICT;

-- A zone has a row once Email Routing was enabled.
CREATE TABLE email_routing (
  zone_id TEXT PRIMARY KEY REFERENCES zones (id) ON DELETE CASCADE,
  enabled_at INTEGER NOT NULL
) STRICT;

CREATE TABLE routing_rules (
  id TEXT PRIMARY KEY,
  zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  matchers TEXT NOT NULL,
  actions TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX routing_rules_zone ON routing_rules (zone_id);

-- Recipients that mail bounced from.
CREATE TABLE email_suppressions (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT;

CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  direction TEXT NOT NULL CHECK (direction IN ('out', 'in')),
  -- The worker that sent it or received it; null for none.
  worker TEXT,
  sender TEXT NOT NULL,
  recipients TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- The message as it was given: the structured form or the raw text, as JSON.
  message TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('stored', 'delivered', 'rejected', 'bounced', 'failed')),
  detail TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mails_page ON mails (account_id, created_at);
`

/** Recipients of a relayed mail that have an outcome; `reply` is null for a delivered one. */
export const relaySchema = `
CREATE TABLE email_relays (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  mail_key TEXT NOT NULL,
  recipient TEXT NOT NULL,
  reply TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, mail_key, recipient)
) STRICT, WITHOUT ROWID;
`
