/**
 * A cache of bytes with a size limit and least-recently-used eviction, for content that never changes under
 * its name: a build passes the same attachments to each model call.
 */
export class ByteCache {
  readonly #bytesMax: number
  readonly #entries = new Map<string, Buffer<ArrayBuffer>>()
  #totalBytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get(name: string): Buffer<ArrayBuffer> | undefined {
    const bytes = this.#entries.get(name)
    if (bytes === undefined) return undefined
    // A Map keeps insertion order, so the first entry is the least recently used.
    this.#entries.delete(name)
    this.#entries.set(name, bytes)
    return bytes
  }

  keep(name: string, bytes: Buffer<ArrayBuffer>): void {
    this.#evict(name)
    this.#entries.set(name, bytes)
    this.#totalBytes += bytes.byteLength
    for (const oldest of this.#entries.keys()) {
      if (this.#totalBytes <= this.#bytesMax) return
      this.#evict(oldest)
    }
  }

  #evict(name: string): void {
    this.#totalBytes -= this.#entries.get(name)?.byteLength ?? 0
    this.#entries.delete(name)
  }
}
