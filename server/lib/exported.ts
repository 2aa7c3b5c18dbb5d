/** One field of an exported line: the SQL of its text, or of JSON text when `isJson`. */
export interface ExportedField {
  sql: string
  isJson?: true
}

/** Rows that an export of an organization's data holds, declared beside the table they come from. */
export interface Exported {
  fields: Readonly<Record<string, string | ExportedField>>
  /** Everything after `from`: `$1`, once, is the organization. */
  from: string
}

/** A field as an object, however it is declared. */
export const fieldOf = (field: string | ExportedField): ExportedField =>
  typeof field === 'string' ? { sql: field } : field

/** A column that holds a list. */
export const listField = (column: string): ExportedField => ({
  sql: `to_json(${column})::text`,
  isJson: true,
})
