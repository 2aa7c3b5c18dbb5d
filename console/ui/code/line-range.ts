/** Lines of a file, counted from 1, both ends included. */
export interface LineRange {
  from: number
  to: number
}

const HASH = /^#?L([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/

/** The lines the end of an address names: `#L12` or `#L12-L20`; null when it names none. */
export function readLineHash(hash: string): LineRange | null {
  const [, first, last] = HASH.exec(hash) ?? []
  if (first === undefined) return null
  const lines = [Number(first), Number(last ?? first)]
  return { from: Math.min(...lines), to: Math.max(...lines) }
}

/** The end of an address that names these lines. */
export const lineHash = ({ from, to }: LineRange) => (from === to ? `L${from}` : `L${from}-L${to}`)

/** Pressing a line number chooses that line; with Shift it stretches what was chosen. */
export const chooseLine = (before: LineRange | null, line: number, stretch: boolean): LineRange =>
  stretch && before
    ? { from: Math.min(before.from, line), to: Math.max(before.from, line) }
    : { from: line, to: line }
