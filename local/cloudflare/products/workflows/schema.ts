/** Instances have no rows: they are files in the state folder of the worker's group. */
export const workflowSchema = `
CREATE TABLE workflows (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  script_id TEXT NOT NULL REFERENCES scripts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  class_name TEXT NOT NULL,
  settings TEXT NOT NULL,
  version_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  triggered_at INTEGER,
  UNIQUE (account_id, name)
) STRICT;
CREATE INDEX workflows_script ON workflows (script_id);
`
