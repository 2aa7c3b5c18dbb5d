/** Gateways are named by their id, which is unique within an account. Times are epoch milliseconds. */
export const gatewaySchema = `
CREATE TABLE ai_gateways (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, id)
) STRICT;
`
