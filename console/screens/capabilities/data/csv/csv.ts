import { FORMULA_START } from '@slipway/runtime/web/csv.ts'

/** Removes the apostrophe that `csvLine` puts before a formula. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA_START.test(text.slice(1)) ? text.slice(1) : text

/** A row of a CSV file, with the number of its first line in the file. */
export interface CsvRow {
  line: number
  cells: string[]
}

/**
 * Parses a CSV text that is separated by `,`, `;` or tabs. Skips empty lines. Returns null when a quote is
 * never closed, because the rest of the text is then ambiguous.
 */
export function parseCsv(text: string): CsvRow[] | null {
  const source = text.replace(/^\uFEFF/, '')
  const comma = separatorOf(source)
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let cell = ''
  let line = 1
  let isQuoted = false
  const endCell = () => {
    row.cells.push(unescapeFormula(cell))
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.cells.some((one) => one.trim() !== '')) rows.push(row)
    row = { line, cells: [] }
  }
  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? ''
    if (char === '\n') line++
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (source[i + 1] === '"') cell += source[++i] ?? ''
      else isQuoted = false
    } else if (char === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (char === comma) endCell()
    else if (char === '\n') endRow()
    else if (char !== '\r' || source[i + 1] !== '\n') cell += char
  }
  if (isQuoted) return null
  if (cell !== '' || row.cells.length > 0) endRow()
  return rows
}

/** Returns the separator that occurs most often in the first line outside quotes. */
function separatorOf(text: string): string {
  const head = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text)?.[0] ?? '').replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (char: string) => head.split(char).length
  return [',', ';', '\t'].reduce((best, char) => (count(char) > count(best) ? char : best))
}
