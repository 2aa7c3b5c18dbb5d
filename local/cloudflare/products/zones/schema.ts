/** Times are epoch milliseconds. */
export const zonesSchema = `
CREATE TABLE zones (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('initializing', 'pending', 'active', 'moved')),
  -- A pending zone is active from here on: its name servers were looked up and found right.
  active_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX zones_name ON zones (name);

CREATE TABLE custom_domains (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  hostname TEXT NOT NULL,
  enabled INTEGER NOT NULL DEFAULT 1,
  previews_enabled INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (zone_id, hostname)
) STRICT;
CREATE INDEX custom_domains_hostname ON custom_domains (hostname);
CREATE INDEX custom_domains_script ON custom_domains (script_id);

CREATE TABLE dns_records (
  id TEXT PRIMARY KEY,
  zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  -- Made by the provider for a custom domain: it goes with it and no one else may change it.
  domain_id TEXT REFERENCES custom_domains (id) ON DELETE CASCADE,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  -- The fields that need no search: ttl, proxied, priority, comment, tags, data.
  details TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;
CREATE INDEX dns_records_name ON dns_records (zone_id, name);
CREATE INDEX dns_records_domain ON dns_records (domain_id);

CREATE TABLE certificate_packs (
  id TEXT PRIMARY KEY,
  zone_id TEXT NOT NULL REFERENCES zones (id) ON DELETE CASCADE,
  domain_id TEXT NOT NULL UNIQUE REFERENCES custom_domains (id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  ordered_at INTEGER NOT NULL,
  -- Set by control: the course stops here.
  state TEXT
) STRICT;
CREATE INDEX certificate_packs_zone ON certificate_packs (zone_id);
CREATE INDEX certificate_packs_host ON certificate_packs (host);

-- Accounts of before get the two zones that every new one begins with.
INSERT INTO zones (id, account_id, name, state, created_at)
  SELECT lower(hex(randomblob(16))), id, subdomain || '-demo.localhost', 'active', created_at
  FROM accounts WHERE subdomain IS NOT NULL;
INSERT INTO zones (id, account_id, name, state, created_at)
  SELECT lower(hex(randomblob(16))), id, subdomain || '-new.localhost', 'pending', created_at
  FROM accounts WHERE subdomain IS NOT NULL;
`
