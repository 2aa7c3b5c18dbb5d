/**
 * A cache of bytes with a size limit and least-recently-used eviction, for content that never changes under
 * its name: a build passes the same attachments to each model call.
 */
export class ByteCache {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Buffer<ArrayBuffer>>()
  #total = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(name: string): Buffer<ArrayBuffer> | undefined {
    const bytes = this.#kept.get(name)
    if (bytes === undefined) return undefined
    // A Map keeps insertion order, so the first entry is the least recently used.
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
