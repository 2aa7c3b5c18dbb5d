import { createHash } from 'node:crypto'
import type { Bucket, ReadObject, StoredObject } from './bucket.ts'

type Put = Parameters<Bucket['put']>[2]

interface Kept {
  bytes: Uint8Array<ArrayBuffer>
  uploaded: Date
  httpMetadata: { contentType?: string }
  customMetadata: Record<string, string>
}

/** A bucket in memory that checks the conditions of reads and writes. */
export class MemoryBucket implements Bucket {
  readonly objects = new Map<string, Kept>()
  /** Called before each call. May throw, or change the objects as a concurrent request does. */
  before: (call: 'head' | 'get' | 'put', key: string) => void = () => {}
  #uploads = 0

  /** Stores an object without a request. Its upload time is a millisecond after that of the previous object. */
  store(
    key: string,
    text: string | Uint8Array<ArrayBuffer>,
    more: Partial<Pick<Put, 'httpMetadata' | 'customMetadata'>> = {},
  ): StoredObject {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    this.objects.set(key, {
      bytes,
      uploaded: new Date(Date.parse('2026-11-20T10:00:00.000Z') + this.#uploads++),
      httpMetadata: more.httpMetadata ?? {},
      customMetadata: more.customMetadata ?? {},
    })
    return this.#facts(key)!
  }

  textOf(key: string): string | null {
    const kept = this.objects.get(key)
    return kept === undefined ? null : new TextDecoder().decode(kept.bytes)
  }

  head = async (key: string): Promise<StoredObject | null> => {
    this.before('head', key)
    return this.#facts(key)
  }

  get: Bucket['get'] = async (key, { range, onlyIf = new Headers() } = {}) => {
    this.before('get', key)
    const facts = this.#facts(key)
    if (facts === null) return null
    const [match, noneMatch] = [onlyIf.get('if-match'), onlyIf.get('if-none-match')]
    const isRefused = (match !== null && match !== facts.httpEtag) || noneMatch === facts.httpEtag
    if (isRefused) return facts satisfies ReadObject
    const { bytes } = this.objects.get(key)!
    const start = range !== undefined && 'offset' in range ? range.offset : 0
    const length = range !== undefined && 'offset' in range ? range.length : undefined
    return { ...facts, body: new Blob([bytes.slice(start, length && start + length)]).stream() }
  }

  put: Bucket['put'] = async (key, body, { httpMetadata, customMetadata, onlyIf }) => {
    const bytes = new Uint8Array(await new Response(body as BodyInit | null).arrayBuffer())
    this.before('put', key)
    const facts = this.#facts(key)
    if (onlyIf instanceof Headers) {
      if (onlyIf.get('if-none-match') === '*' && facts !== null) return null
    } else if (onlyIf !== undefined)
      if (facts?.etag !== onlyIf.etagMatches || facts.uploaded >= onlyIf.uploadedBefore) return null
    return this.store(key, bytes, { httpMetadata, customMetadata })
  }

  #facts(key: string): StoredObject | null {
    const kept = this.objects.get(key)
    if (kept === undefined) return null
    const { bytes, uploaded, httpMetadata, customMetadata } = kept
    const etag = createHash('md5').update(bytes).digest('hex')
    return { key, size: bytes.length, etag, httpEtag: `"${etag}"`, uploaded, httpMetadata, customMetadata }
  }
}
