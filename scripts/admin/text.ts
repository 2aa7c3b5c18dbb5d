import { stripVTControlCharacters, styleText } from 'node:util'

/** Formats a time in UTC, to the minute. */
export const minute = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')

export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** Formats a size in the largest unit in which it is at least 1. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, size)) / 3))
  return `${(size / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}

/** Formats a table whose columns are as wide as their widest cell. Colour codes do not count. */
export function table(head: string[], rows: string[][]): string[] {
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
