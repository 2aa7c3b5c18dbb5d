/** The lines of a file that one call of the read tool returned, and the number of lines of the file. */
export interface ReadRange {
  from: number
  to: number
  lines: number
}

/**
 * The files of which the model has seen every line. The model may replace only these files, because unseen lines would be lost. A file
 * that is read in parts counts once the parts cover the first to the last line without a gap.
 */
export class SeenFiles {
  readonly #whole: Set<string>
  /** The number of lines, from the first line on, that the model has read of a file. */
  readonly #linesRead = new Map<string, number>()

  constructor(paths: Iterable<string>) {
    this.#whole = new Set(paths)
  }

  has(path: string): boolean {
    return this.#whole.has(path)
  }

  add(path: string): void {
    this.#whole.add(path)
  }

  addRead(path: string, { from, to, lines }: ReadRange): void {
    const read = this.#linesRead.get(path) ?? 0
    if (from > read + 1) return
    this.#linesRead.set(path, Math.max(read, to))
    if (to >= lines) this.#whole.add(path)
  }

  /** An edit may move lines between read and unread parts of a file, so reading in parts starts again. */
  restartReading(path: string): void {
    this.#linesRead.delete(path)
  }
}
