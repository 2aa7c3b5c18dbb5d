/** One field of an exported line: the SQL of its text, or of JSON text when `isJson`. */
export interface ExportedField {
  sql: string
  isJson?: true
}

/** Rows that an export of an organization's data holds, declared beside the table they come from. */
export interface Exported {
  fields: Readonly<Record<string, string | ExportedField>>
  /** Everything after `from`: `$1` is the organization. */
  from: string
  /** Rows read at a time; less where a row may hold long texts. */
  batch?: number
}

const fieldOf = (field: string | ExportedField): ExportedField =>
  typeof field === 'string' ? { sql: field } : field

/** A column that holds a list. */
export const listField = (column: string): ExportedField => ({
  sql: `to_json(${column})::text`,
  isJson: true,
})

/** The statement that reads the rows as texts, in the order of the fields. */
export const selectExported = ({ fields, from }: Exported): string =>
  `select ${Object.values(fields)
    .map((field) => fieldOf(field).sql)
    .join(', ')} from ${from}`

const LINE_FEED = 10

/**
 * Returns the function that writes rows as lines of JSON, one object each that begins with its kind. All rows of a
 * batch go through one `JSON.stringify`, which costs a third of one call per row.
 */
export function lineWriter(kind: string, { fields }: Exported): (rows: (string | null)[][]) => Buffer {
  const columns = Object.entries(fields).map(([name, field]) => ({
    name,
    isJson: fieldOf(field).isJson === true,
  }))
  const empty: Record<string, unknown> = {
    kind,
    ...Object.fromEntries(columns.map(({ name }) => [name, null])),
  }
  // Quotes are escaped inside texts, and no JSON column holds objects that begin with a kind.
  const between = Buffer.from(`},{"kind":${JSON.stringify(kind)},`)
  return (rows) => {
    const lines = rows.map((row) => {
      const line = { ...empty }
      for (const [i, { name, isJson }] of columns.entries()) {
        const value = row[i] ?? null
        line[name] = isJson && value !== null ? JSON.parse(value) : value
      }
      return line
    })
    const bytes = Buffer.from(JSON.stringify(lines))
    // In place: the commas between the objects and the last bracket of the array become line feeds.
    for (let at = bytes.indexOf(between); at !== -1; at = bytes.indexOf(between, at + between.length))
      bytes[at + 1] = LINE_FEED
    bytes[bytes.length - 1] = LINE_FEED
    return bytes.subarray(1)
  }
}
