/**
 * A column whose values are encrypted. `id` and `organization` are SQL expressions. Their values are authenticated
 * together with the encrypted value, so that the value can be decrypted only in the row with the same id and
 * organization.
 */
export interface SealedColumn {
  table: string
  column: string
  id: string
  organization: string
  /** An SQL expression that identifies the row; needed where `id` is not enough. */
  row?: string
}

/**
 * Every column with encrypted values; a key rotation encrypts all of them again. The names in `SealedPlace` come
 * from this list, so no value can be encrypted for a column that is missing here.
 */
export const SEALED_COLUMNS = [
  { table: 'connections', column: 'token', id: 'id', organization: 'org_id' },
  { table: 'connections', column: 'refresh_token', id: 'id', organization: 'org_id' },
  { table: 'model_connections', column: 'key', id: 'id', organization: 'org_id' },
  { table: 'webhook_endpoints', column: 'secret', id: 'id', organization: 'org_id' },
  { table: 'ingest_sources', column: 'secret', id: 'id', organization: 'org_id' },
  {
    table: 'capability_secrets',
    column: 'sealed',
    id: `project_id || '/' || key || '/' || name`,
    organization: 'org_id',
  },
  { table: 'oauth_states', column: 'verifier', id: 'state_hash', organization: 'org_id' },
  // The auth library encrypts these values without knowing their row. So they are bound only to the table and the
  // column, and can be decrypted in any row.
  { table: 'ssoProvider', column: 'oidcConfig', id: `''`, organization: `''`, row: '"id"' },
  { table: 'ssoProvider', column: 'samlConfig', id: `''`, organization: `''`, row: '"id"' },
  // A mail belongs to a person and not to an organization.
  { table: 'mails', column: 'content', id: 'id', organization: `''` },
] as const satisfies readonly SealedColumn[]

/**
 * Where an encrypted value is stored. It can be decrypted nowhere else, so a value copied to another organization's
 * row is useless there.
 */
export interface SealedPlace {
  table: (typeof SEALED_COLUMNS)[number]['table']
  id: string
  column: (typeof SEALED_COLUMNS)[number]['column']
  organizationId: string
}
