/** Names are case-insensitive, as at the provider. */
export const githubSchema = `
CREATE TABLE github_accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('User', 'Organization')),
  -- The organization of the service a silent authorization asked for: asking again finds the same account.
  login_hint TEXT UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE github_members (
  organization_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (organization_id, user_id)
) STRICT;

CREATE TABLE github_codes (
  hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE github_tokens (
  hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE github_repositories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL REFERENCES github_accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT,
  private INTEGER NOT NULL,
  default_branch TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  pushed_at INTEGER,
  UNIQUE (owner_id, name)
) STRICT;
`
