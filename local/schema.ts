import { gatewaySchema } from './cloudflare/products/ai/schema.ts'
import { callsSchema } from './cloudflare/products/calls/schema.ts'
import { cronSchema } from './cloudflare/products/cron/schema.ts'
import { emailSchema, relaySchema } from './cloudflare/products/email/schema.ts'
import { queueSchema } from './cloudflare/products/queues/schema.ts'
import { streamSchema } from './cloudflare/products/stream/schema.ts'
import { turnstileSchema } from './cloudflare/products/turnstile/schema.ts'
import { workflowSchema } from './cloudflare/products/workflows/schema.ts'
import { zonesSchema } from './cloudflare/products/zones/schema.ts'
import { githubSchema } from './github/schema.ts'
import { stripeKindsSchema, stripeSchema } from './stripe/schema.ts'
import { pushSchema } from './push/schema.ts'
import { Store } from './world/store.ts'

/** Migrations. Each is applied once, in this order. A released step is never edited. Times are epoch milliseconds. */
const schemaSteps = [
  `
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'paid')),
  subdomain TEXT UNIQUE,
  -- The organization a silent authorization asked for: asking again finds the same account.
  login_hint TEXT UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('api', 'access', 'refresh')),
  -- All tokens of one grant: reuse of a rotated refresh token revokes the family.
  family TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT,
  scopes TEXT NOT NULL,
  expires_at INTEGER,
  used_at INTEGER,
  revoked_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_family ON tokens (family);

CREATE TABLE authorization_codes (
  hash TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The family its tokens got: a second use of the code revokes them.
  family TEXT
) STRICT;

CREATE TABLE groups (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE TABLE scripts (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups (id),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  subdomain_enabled INTEGER NOT NULL DEFAULT 0,
  previews_enabled INTEGER NOT NULL DEFAULT 0,
  migration_tag TEXT,
  -- Script-level settings of the API that are not part of a version: tags, observability, schedules ...
  settings TEXT NOT NULL DEFAULT '{}',
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX scripts_group ON scripts (group_id);

CREATE TABLE versions (
  id TEXT PRIMARY KEY,
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (script_id, number)
) STRICT;

CREATE TABLE deployments (
  id TEXT PRIMARY KEY,
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  version_id TEXT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  source TEXT NOT NULL,
  annotations TEXT NOT NULL,
  UNIQUE (script_id, number)
) STRICT;

CREATE TABLE namespaces (
  id TEXT PRIMARY KEY,
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  class_name TEXT NOT NULL,
  storage TEXT NOT NULL CHECK (storage IN ('sqlite', 'legacy-kv')),
  created_at INTEGER NOT NULL,
  UNIQUE (script_id, class_name)
) STRICT;

CREATE TABLE assets (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  content_type TEXT,
  PRIMARY KEY (account_id, hash)
) STRICT;

CREATE TABLE upload_sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  script TEXT NOT NULL,
  manifest TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  provider TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  account_id TEXT,
  body_digest TEXT,
  fault TEXT,
  is_unimplemented INTEGER NOT NULL
) STRICT;

CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`,
  `
CREATE TABLE buckets (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups (id),
  name TEXT NOT NULL,
  location TEXT NOT NULL,
  storage_class TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX buckets_group ON buckets (group_id);
`,
  githubSchema,
  zonesSchema,
  // Buckets, databases and namespaces share one table: all of them have a name and belong to a group, whose
  // folder holds their data.
  `
CREATE TABLE resources (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES groups (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (account_id, kind, name)
) STRICT;
CREATE INDEX resources_group ON resources (group_id);
INSERT INTO resources
  SELECT id, account_id, group_id, 'r2', name,
    json_object('location', location, 'storageClass', storage_class), created_at
  FROM buckets;
DROP TABLE buckets;
`,
  queueSchema,
  cronSchema,
  workflowSchema,
  // SQL files of D1 imports and exports. The URL of a file ends with the id of its row.
  `
CREATE TABLE d1_transfers (
  id TEXT PRIMARY KEY,
  database_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  digest TEXT,
  created_at INTEGER NOT NULL
) STRICT;
`,
  // Stores the further accounts of an OAuth authorization, names of API tokens, and the PKCE challenge of the local GitHub.
  `
ALTER TABLE tokens ADD COLUMN other_accounts TEXT NOT NULL DEFAULT '[]';
ALTER TABLE tokens ADD COLUMN name TEXT;
ALTER TABLE authorization_codes ADD COLUMN other_accounts TEXT NOT NULL DEFAULT '[]';
ALTER TABLE github_codes ADD COLUMN challenge TEXT;
`,
  gatewaySchema,
  streamSchema,
  emailSchema,
  stripeSchema,
  pushSchema,
  turnstileSchema,
  callsSchema,
  relaySchema,
  stripeKindsSchema,
]

/** Opens the SQLite file that all stand-ins share, and applies missing migrations. */
export const openStore = (path: string): Store => new Store(path, schemaSteps)
