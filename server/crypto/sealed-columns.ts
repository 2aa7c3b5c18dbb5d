/** `id` and `organization` are SQL: the row's part of the place that each value is bound to. */
export interface SealedColumn {
  table: string
  column: string
  id: string
  organization: string
  /** The SQL that tells rows apart, where the place does not; else `id` does. */
  row?: string
}

/**
 * Every column with encrypted values; a key rotation seals all of them again. `Place` takes its names from
 * here, so nothing can be sealed to a column that is missing.
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
  // The auth library encrypts these without seeing the row, so they are bound to the column only.
  { table: 'ssoProvider', column: 'oidcConfig', id: `''`, organization: `''`, row: '"id"' },
  { table: 'ssoProvider', column: 'samlConfig', id: `''`, organization: `''`, row: '"id"' },
  // A mail belongs to a person, not to an organization.
  { table: 'mails', column: 'content', id: 'id', organization: `''` },
] as const satisfies readonly SealedColumn[]

/**
 * Where an encrypted value is stored. It decrypts nowhere else, so a row copied to another tenant is useless.
 */
export interface Place {
  table: (typeof SEALED_COLUMNS)[number]['table']
  id: string
  column: (typeof SEALED_COLUMNS)[number]['column']
  organizationId: string
}
