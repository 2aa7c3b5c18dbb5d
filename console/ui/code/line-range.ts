/** Lines of a file, counted from 1, both ends included. */
export interface LineRange {
  from: number
  to: number
}

const HASH = /^#?L([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/

/** The lines named by a URL fragment: `#L12` or `#L12-L20`; null when it names none. */
export function readLineHash(hash: string): LineRange | null {
  const [, first, last] = HASH.exec(hash) ?? []
  if (first === undefined) return null
  const lines = [Number(first), Number(last ?? first)]
  return { from: Math.min(...lines), to: Math.max(...lines) }
}

export const lineHash = ({ from, to }: LineRange) => (from === to ? `L${from}` : `L${from}-L${to}`)

/** The range after a line number was pressed; with Shift the previous range is extended. */
export const chooseLine = (before: LineRange | null, line: number, stretch: boolean): LineRange =>
  stretch && before
    ? { from: Math.min(before.from, line), to: Math.max(before.from, line) }
    : { from: line, to: line }
