/** Copies a text. Fails where the browser or the person does not allow it. */
export const copyText = (text: string): Promise<void> => navigator.clipboard.writeText(text)

/** Saves a text as a file of the person who looks at the page. */
export function downloadText(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** A cell that a spreadsheet would run as a formula begins with one of these. */
const FORMULA = /^[=+\-@\t\r]/

/** The lines of a CSV file (RFC 4180), with which spreadsheets open every letter and run no formula. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) => row.map(cellOf).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
