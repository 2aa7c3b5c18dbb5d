import { stripVTControlCharacters, styleText } from 'node:util'

/** Formats a time in UTC, to the minute. */
export const formatMinute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

export const formatCount = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/** Formats a size in the largest unit in which the rounded number is at least 1. */
export function formatBytes(size: number): string {
  let step = 0
  // 999,950 bytes are 1000.0 kB when rounded, so show 1 MB.
  while (step < UNITS.length - 1 && size / 1000 ** step >= (step === 0 ? 1000 : 999.95)) step++
  return `${(size / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${UNITS[step]}`
}

/**
 * Returns an untrusted text on one line. Without control characters the text cannot move the cursor, colour the terminal, reorder its line
 * or imitate a further line.
 */
export const oneLine = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .trim()

/** Returns an untrusted text of several lines. Removes control characters, but keeps line breaks and tabs. */
export const stripControlCharacters = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[^\P{Cc}\t\n]/gu, '')

/** Formats a table whose columns are as wide as their widest cell. Colour codes do not count. */
export function formatTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((name, i) =>
    Math.max(name.length, ...rows.map((row) => stripVTControlCharacters(row[i] ?? '').length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell + ' '.repeat((widths[i] ?? 0) - stripVTControlCharacters(cell).length))
      .join('  ')
      .trimEnd()
  return [styleText('dim', line(head)), ...rows.map(line)]
}
