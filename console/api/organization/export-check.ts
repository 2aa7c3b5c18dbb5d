import { isRecord } from '@slipway/sdk/is-record.ts'

const NEWLINE_BYTE = 10
const KIND_PATTERN = /^\{"kind":"([a-z_]{1,40})"/
/** How many bytes at the start of a line are enough to read the line's kind. */
const KIND_BYTES = 64
/** An upper bound for the last line of a complete export. Longer lines are kept only up to this length. */
const LAST_LINE_BYTES_MAX = 10_000

/**
 * Checks an export while its bytes arrive: counts the lines by kind and compares them with the counts in the
 * last line.
 */
export class ExportCheck {
  lines = 0
  readonly #counts = new Map<string, number>()
  readonly #decoder = new TextDecoder()
  /** The first bytes of the current, incomplete line. */
  #lineStart: number[] = []
  #endLineText = ''

  /** Counts the lines of the next bytes. A line may be split over several calls. */
  take(bytes: Uint8Array): void {
    let start = 0
    for (let at = bytes.indexOf(NEWLINE_BYTE); at !== -1; at = bytes.indexOf(NEWLINE_BYTE, start)) {
      this.#collectHead(bytes.subarray(start, at))
      this.#endLine()
      start = at + 1
    }
    this.#collectHead(bytes.subarray(start))
  }

  /** Ends the check. Returns the number of lines by kind when the export is complete, otherwise null. */
  end(): Record<string, number> | null {
    const said = this.#lineStart.length === 0 ? countsOf(this.#endLineText) : null
    if (said === null || this.#counts.get('export') !== 1 || this.#counts.get('end') !== 1) return null
    const known = Object.values(said).reduce((sum, count) => sum + count, 0)
    const isRight = Object.entries(said).every(([kind, count]) => (this.#counts.get(kind) ?? 0) === count)
    // +2 for the first and the last line, which the counts do not include.
    return isRight && known + 2 === this.lines ? said : null
  }

  #collectHead(bytes: Uint8Array): void {
    const room = LAST_LINE_BYTES_MAX - this.#lineStart.length
    if (room > 0) this.#lineStart.push(...bytes.subarray(0, room))
  }

  #endLine(): void {
    const head = this.#decoder.decode(new Uint8Array(this.#lineStart.slice(0, KIND_BYTES)))
    const kind = KIND_PATTERN.exec(head)?.[1] ?? ''
    this.lines += 1
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    if (kind === 'end') this.#endLineText = this.#decoder.decode(new Uint8Array(this.#lineStart))
    this.#lineStart = []
  }
}

function countsOf(line: string): Record<string, number> | null {
  try {
    const end = JSON.parse(line)
    if (!isRecord(end) || end['kind'] !== 'end' || !isRecord(end['counts'])) return null
    const all = Object.entries(end['counts'])
    const numbers = all.filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    return numbers.length === all.length ? Object.fromEntries(numbers) : null
  } catch {
    return null
  }
}
