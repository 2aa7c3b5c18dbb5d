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

/** What JSON has to escape; most rows have nothing of it. */
// oxlint-disable-next-line no-control-regex -- control characters are what has to be found
const ESCAPED = /["\\\u0000-\u001f]/
/** Joins the fields of a row while it is tested. */
const BETWEEN = '\ue000'

/** Returns the function that writes rows as lines of JSON, one object each that begins with its kind. */
export function lineWriter(kind: string, { fields }: Exported): (rows: (string | null)[][]) => string {
  const columns = Object.entries(fields).map(([name, field]) => ({
    name: `,${JSON.stringify(name)}:`,
    isJson: fieldOf(field).isJson === true,
  }))
  const begin = `{"kind":${JSON.stringify(kind)}`
  return (rows) => {
    let text = ''
    for (const row of rows) {
      const isPlain = !ESCAPED.test(row.join(BETWEEN))
      let line = begin
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i]
        const value = row[i] ?? null
        if (column === undefined) continue
        if (value === null) line += `${column.name}null`
        else if (column.isJson) line += column.name + value
        else line += isPlain ? `${column.name}"${value}"` : column.name + JSON.stringify(value)
      }
      text += `${line}}\n`
    }
    return text
  }
}
