/** One field of an exported row. `sql` is an expression for a text, or for JSON text with `isJson`. */
export interface ExportedField {
  sql: string
  isJson?: true
}

/** Rows that are part of the export of an organization's data. Each folder declares them beside its table. */
export interface Exported {
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
