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

/**
 * Returns the function that writes rows as lines of JSON, one object each that begins with its kind. Rows of plain texts
 * go through one `JSON.stringify` per batch, which costs a third of one call per row.
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
  const objectOf = (row: (string | null)[]) => {
    const line = { ...empty }
    for (const [i, { name, isJson }] of columns.entries()) {
      const value = row[i] ?? null
      line[name] = isJson && value !== null ? JSON.parse(value) : value
    }
    return line
  }
  // JSON that people have written can hold what separates two objects of an array.
  if (columns.some(({ isJson }) => isJson))
    return (rows) => Buffer.from(rows.map((row) => `${JSON.stringify(objectOf(row))}\n`).join(''))
  return (rows) => linesOfArray(Buffer.from(JSON.stringify(rows.map(objectOf))))
}

const BETWEEN = Buffer.from('},{"kind":')
const LINE_FEED = 10

/**
 * Turns the JSON of an array of flat objects into lines in place: the commas between the objects and the last bracket
 * become line feeds. Inside a text `"` is escaped, so nothing else looks like what is between two objects.
 */
function linesOfArray(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf(BETWEEN); at !== -1; at = bytes.indexOf(BETWEEN, at + BETWEEN.length))
    bytes[at + 1] = LINE_FEED
  bytes[bytes.length - 1] = LINE_FEED
  return bytes.subarray(1)
}
