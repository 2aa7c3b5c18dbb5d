import type { CsvRow } from './csv.ts'
import {
  type FieldSchema,
  fieldLabel,
  isSystemField,
  readRecordField,
  type RecordProblem,
} from '../record-fields.ts'

/**
 * Returns the columns of an export: first the fields of the app, which an import accepts, then the system
 * fields.
 */
export const exportColumns = (fields: FieldSchema[]): string[] => [
  ...fields.map(({ name }) => name),
  ...SYSTEM_COLUMNS,
]
const SYSTEM_COLUMNS = ['id', 'ownerId', 'createdAt', 'updatedAt', 'partition']

export const exportCells = (fields: FieldSchema[], record: Record<string, unknown>): string[] => [
  ...fields.map(({ name, type }) => csvText(ownValue(record, name), type)),
  ...SYSTEM_COLUMNS.map((name) => csvText(ownValue(record, name))),
]

/** A field may be named like a property of every object, such as `constructor`, and be missing in an older record. */
const ownValue = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : null

/** Returns a value as the text of a cell. Text in a JSON field is quoted. Otherwise an import would read the text `true` as a boolean. */
function csvText(value: unknown, type = 'text'): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)
}

export interface ReadRow {
  line: number
  fields: Record<string, unknown>
}

/** An invalid row that was found before the import sent a request. */
export interface BadRow {
  line: number
  field: string | null
  problem: RecordProblem | 'cells'
}

export type ReadFile =
  | { is: 'rows'; rows: ReadRow[]; bad: BadRow[]; ignored: string[] }
  | { is: 'empty' }
  /** Columns that match no field, and columns that repeat a field. */
  | { is: 'columns'; unknown: string[] }
  | { is: 'missing'; fields: string[] }

const normalizeHeading = (words: string) => words.trim().toLowerCase()

/** Reads the rows of a file whose header names fields by name or title. Ignores columns of system fields. */
export function readRows([head, ...rows]: CsvRow[], fields: FieldSchema[]): ReadFile {
  if (head === undefined || rows.length === 0) return { is: 'empty' }
  const names = head.cells.map((cell) => cell.trim())
  // Spreadsheets end each line with the separators of empty columns. A value there is as unexpected as one beyond the last column.
  names.length = names.findLastIndex((name) => name !== '') + 1
  const fieldOf = (name: string) =>
    fields.find((field) => field.name === name) ??
    fields.find(
      (field) =>
        normalizeHeading(field.name) === normalizeHeading(name) ||
        normalizeHeading(fieldLabel(field)) === normalizeHeading(name),
    )
  const columns = names.map((name) => {
    const field = fieldOf(name) ?? null
    // An exported file has a separate column for a field when the field's title is the name of a system column.
    return field !== null && isSystemField(name) && names.includes(field.name) ? null : field
  })
  const isExtra = (name: string, n: number) =>
    columns[n] === null ? !isSystemField(name) && name !== '' : columns.indexOf(columns[n] ?? null) !== n
  const unknown = names.filter(isExtra)
  if (unknown.length > 0) return { is: 'columns', unknown }
  const missing = fields.filter(
    (field) => field.required && (field.default ?? null) === null && !columns.includes(field),
  )
  if (missing.length > 0) return { is: 'missing', fields: missing.map(fieldLabel) }
  const read = rows.map((row) => readRow(row, columns))
  return {
    is: 'rows',
    rows: read.flatMap((one) => ('fields' in one ? [one] : [])),
    bad: read.flatMap((one) => ('problem' in one ? [one] : [])),
    ignored: names.filter((name, n) => columns[n] === null && name !== ''),
  }
}

function readRow(
  { line, cells }: CsvRow,
  columns: (FieldSchema | null)[],
): ReadRow | (BadRow & { problem: string }) {
  // A row with more cells than columns is invalid: an unquoted comma has probably shifted its cells.
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    return { line, field: null, problem: 'cells' }
  const fields: Record<string, unknown> = {}
  for (const [n, field] of columns.entries()) {
    if (field === null) continue
    const text = cells[n] ?? ''
    // Leave an empty cell out of the record, so that the app sets the default of the field.
    if (text.trim() === '' && field.default !== undefined && field.default !== null) continue
    const read = readRecordField(field, text)
    if ('problem' in read) return { line, field: fieldLabel(field), problem: read.problem }
    fields[field.name] = read.value
  }
  return { line, fields }
}

/** Splits rows into batches. By default a batch has at most 100 rows and 400,000 characters. */
export function batchesOf<Row extends ReadRow>(rows: Row[], maxChars = 400_000, maxRows = 100): Row[][] {
  const batches: Row[][] = []
  let chars = 0
  for (const row of rows) {
    const size = JSON.stringify(row.fields).length
    const last = batches.at(-1)
    if (last === undefined || last.length >= maxRows || chars + size > maxChars) {
      batches.push([row])
      chars = size
    } else {
      last.push(row)
      chars += size
    }
  }
  return batches
}
