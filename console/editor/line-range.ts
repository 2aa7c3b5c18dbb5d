/** A range of lines in a file. Lines are counted from 1, and both ends are included. */
export interface LineRange {
  from: number
  to: number
}

const HASH_PATTERN = /^#?L([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/

/** Returns the lines that a URL fragment names, such as `#L12` or `#L12-L20`; null when it names none. */
export function readLineHash(hash: string): LineRange | null {
  const [, first, last] = HASH_PATTERN.exec(hash) ?? []
  if (first === undefined) return null
  const lines = [Number(first), Number(last ?? first)]
  return { from: Math.min(...lines), to: Math.max(...lines) }
}

/** The URL fragment of a range, without `#`. `readLineHash` parses it. */
export const lineHash = ({ from, to }: LineRange) => (from === to ? `L${from}` : `L${from}-L${to}`)

/** Returns the range after a line number was pressed. With Shift (`stretch`) it extends the previous range. */
export const chooseLine = (before: LineRange | null, line: number, stretch: boolean): LineRange =>
  stretch && before
    ? { from: Math.min(before.from, line), to: Math.max(before.from, line) }
    : { from: line, to: line }
