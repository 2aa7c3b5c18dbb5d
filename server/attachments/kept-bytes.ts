/**
 * Bytes in memory up to a limit, the least recently used go first. For what never changes under its name: a build
 * gives the same attachments to each of its calls.
 */
export class KeptBytes {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Buffer<ArrayBuffer>>()
  #total = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(name: string): Buffer<ArrayBuffer> | undefined {
    const bytes = this.#kept.get(name)
    if (bytes === undefined) return undefined
    // A Map keeps the order of insertion: the first is the one nobody asked for longest.
    this.#kept.delete(name)
    this.#kept.set(name, bytes)
    return bytes
  }

  keep(name: string, bytes: Buffer<ArrayBuffer>): void {
    this.#drop(name)
    this.#kept.set(name, bytes)
    this.#total += bytes.byteLength
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#bytesMax) return
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    this.#total -= this.#kept.get(name)?.byteLength ?? 0
    this.#kept.delete(name)
  }
}
