/** One field of an exported row. `sql` is an SQL expression of type text. With `isJson` this text is JSON. */
export interface ExportedField {
  sql: string
  isJson?: true
}

/** The rows of one table in the export of an organization. The folder whose code stores the rows declares them. */
export interface ExportedTable {
  fields: Readonly<Record<string, string | ExportedField>>
  /** The SQL after `from`. It contains `$1`, the id of the organization, once. */
  from: string
}

export const fieldOf = (field: string | ExportedField): ExportedField =>
  typeof field === 'string' ? { sql: field } : field

export const listField = (column: string): ExportedField => ({
  sql: `to_json(${column})::text`,
  isJson: true,
})
