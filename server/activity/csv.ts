import { stringify } from 'csv-stringify/sync'

/** The fields of one line; null is an empty field. */
export type CsvRow = (string | null)[]

/**
 * Separates the fields in the text that is tested against `NEEDS_QUOTING`. If a field contains this character, the row is at worst escaped
 * although it needs no escaping.
 */
const ROW_SEPARATOR = '\ue000'

/**
 * Matches a row that has a character which CSV must quote, or a field that starts like a formula. It ignores
 * formula characters inside a field, because most rows have some (`@`, `-`).
 */
const NEEDS_QUOTING = /[",\r\n\t]|(?:^|\ue000)[=+\-@|＝＋－＠]/

/**
 * Returns CSV lines (RFC 4180, but with LF at the end of a line). Names and details come from strangers, so a
 * field that a spreadsheet would run as a formula gets an apostrophe in front. Most rows need neither quotes
 * nor apostrophe and are joined directly, which is ten times as fast.
 */
export function csvText(rows: CsvRow[]): string {
  let text = ''
  for (const row of rows)
    text += NEEDS_QUOTING.test(row.join(ROW_SEPARATOR)) ? escapeRow(row) : `${row.join(',')}\n`
  return text
}

/**
 * The library escapes fields with a leading `= + - @`, TAB or CR, or one of their full-width forms. This function
 * adds line feed and pipe.
 */
const escapeRow = (row: CsvRow): string =>
  stringify([row.map((field) => field?.replace(/^[|\n]/, "'$&") ?? '')], { escape_formulas: true })
