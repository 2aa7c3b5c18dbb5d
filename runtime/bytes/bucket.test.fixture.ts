import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Bucket, FileBucket, ReadObject, StoredObject, UploadedPart } from './bucket.ts'

type Put = Parameters<Bucket['put']>[2]
type Body = ReadableStream | Uint8Array | string | null
type Metadata = Pick<Put, 'httpMetadata' | 'customMetadata'>

interface KeptObject {
  bytes: Uint8Array<ArrayBuffer>
  uploaded: Date
  httpMetadata: { contentType?: string }
  customMetadata: Record<string, string>
}

interface Multipart {
  key: string
  metadata: Metadata
  parts: Map<number, Uint8Array<ArrayBuffer>>
  state: 'open' | 'aborted' | 'completed'
}

/** A bucket in memory that checks the conditions of reads and writes. */
export class MemoryBucket implements FileBucket {
  readonly objects = new Map<string, KeptObject>()
  /** The multipart uploads by their id: `upload-1` is the first. */
  readonly uploads = new Map<string, Multipart>()
  /** The options of each call of `list`. */
  readonly asked: object[] = []
  /** The largest number of objects that one call of `list` returns. */
  pageMax = 1000
  /** Makes each call of `list` return an empty page that says that there are more objects. */
  isStuck = false
  /** While set, writing bytes fails before the body is read, or after all of it was read. */
  failure: 'before reading' | 'after reading' | null = null
  /** Called before each call. May throw, or change the objects as a concurrent request does. */
  before: (call: 'head' | 'get' | 'put', key: string) => void = () => {}
  #uploads = 0

  /** Stores an object without a request. Its upload time is a millisecond after the upload time of the previous object. */
  store(key: string, text: string | Uint8Array<ArrayBuffer>, more: Partial<Metadata> = {}): StoredObject {
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

  /** Returns the content of all objects as text, in the order in which their keys were first stored. */
  texts(): string[] {
    return [...this.objects.values()].map(({ bytes }) => new TextDecoder().decode(bytes))
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
    const bytes = await this.#read(body)
    this.before('put', key)
    const facts = this.#facts(key)
    if (onlyIf instanceof Headers) {
      if (onlyIf.get('if-none-match') === '*' && facts !== null) return null
    } else if (onlyIf !== undefined)
      if (facts?.etag !== onlyIf.etagMatches || facts.uploaded >= onlyIf.uploadedBefore) return null
    return this.store(key, bytes, { httpMetadata, customMetadata })
  }

  delete = async (keys: string | string[]): Promise<void> => {
    for (const key of [keys].flat()) this.objects.delete(key)
  }

  list: FileBucket['list'] = async (options) => {
    this.asked.push(options)
    assert.ok(this.asked.length < 100, 'the bucket is asked without end')
    const { prefix, limit = 1000, startAfter = '' } = options
    const left = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > startAfter)
      .toSorted()
    const page = this.isStuck ? [] : left.slice(0, Math.min(limit, this.pageMax))
    return { objects: page.map((key) => this.#facts(key)!), truncated: left.length > page.length }
  }

  createMultipartUpload: FileBucket['createMultipartUpload'] = async (key, metadata) => {
    const uploadId = `upload-${this.uploads.size + 1}`
    this.uploads.set(uploadId, { key, metadata, parts: new Map(), state: 'open' })
    return { uploadId }
  }

  resumeMultipartUpload: FileBucket['resumeMultipartUpload'] = (key, uploadId) => {
    const open = () => {
      const upload = this.uploads.get(uploadId)
      if (upload?.state !== 'open' || upload.key !== key) throw new Error('no such upload (10024)')
      return upload
    }
    return {
      uploadPart: async (partNumber, body) => {
        open().parts.set(partNumber, await this.#read(body))
        return { partNumber, etag: `etag-${partNumber}` }
      },
      complete: async (parts: UploadedPart[]) => {
        const upload = open()
        const bytes = parts.map(({ partNumber, etag }) => {
          assert.equal(etag, `etag-${partNumber}`)
          return upload.parts.get(partNumber) ?? assert.fail(`part ${partNumber}`)
        })
        upload.state = 'completed'
        return this.store(key, Uint8Array.from(Buffer.concat(bytes)), upload.metadata)
      },
      abort: async () => void (open().state = 'aborted'),
    }
  }

  async #read(body: Body): Promise<Uint8Array<ArrayBuffer>> {
    if (this.failure === 'before reading') throw new Error('put: internal error (10001)')
    const bytes = new Uint8Array(await new Response(body as BodyInit | null).arrayBuffer())
    if (this.failure === 'after reading') throw new Error('put: internal error (10001)')
    return bytes
  }

  #facts(key: string): StoredObject | null {
    const kept = this.objects.get(key)
    if (kept === undefined) return null
    const { bytes, uploaded, httpMetadata, customMetadata } = kept
    const etag = createHash('md5').update(bytes).digest('hex')
    return { key, size: bytes.length, etag, httpEtag: `"${etag}"`, uploaded, httpMetadata, customMetadata }
  }
}
