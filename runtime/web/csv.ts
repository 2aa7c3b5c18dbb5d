/** Matches text that a spreadsheet would run as a formula, even text that is already escaped with apostrophes. */
export const FORMULA_START = /^'*[=+\-@|\t\r＝＋－＠]/
const PLAIN_NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Returns one line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula is escaped with an apostrophe. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: string): string {
  const safe = FORMULA_START.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Returns the text of a CSV file that spreadsheets read in the right encoding and without running a formula. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) => csvLine(row.map((cell) => String(cell ?? ''))))
  // Without a byte order mark, spreadsheets misread characters beyond ASCII.
  return `\uFEFF${lines.join('')}`
}
