/** `sql` is a text, or JSON text when `isJson`. */
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

export const fieldOf = (field: string | ExportedField): ExportedField =>
  typeof field === 'string' ? { sql: field } : field

export const listField = (column: string): ExportedField => ({
  sql: `to_json(${column})::text`,
  isJson: true,
})
