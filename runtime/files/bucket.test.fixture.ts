import assert from 'node:assert/strict'
import type { R2Range, StoredObject } from '../bytes/bucket.ts'
import { CAPABILITY_KEYS } from '../capabilities.ts'
import { enableCapabilities, workerEnv } from '../kernel/workerd.test.fixture.ts'

/** A stream that fails unless exactly `sizeBytes` bytes pass through it, like `FixedLengthStream` of workerd. */
class FixedLength extends TransformStream<Uint8Array, Uint8Array> {
  constructor(sizeBytes: number) {
    let left = sizeBytes
    super({
      transform: (chunk, stream) => {
        left -= chunk.length
        if (left < 0) throw new TypeError('Attempt to write too many bytes through a FixedLengthStream.')
        stream.enqueue(chunk)
      },
      flush: () => {
        if (left > 0) throw new TypeError('FixedLengthStream did not see all expected bytes before close().')
      },
    })
  }
}

interface Multipart {
  key: string
  parts: Map<number, Buffer>
  state: 'open' | 'aborted' | 'completed'
}

async function bytesIn(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A bucket in memory. While `failure` is set, it fails before it reads a body, or after it has read the whole body. */
export class MemoryBucket {
  readonly objects = new Map<string, Buffer>()
  readonly uploads = new Map<string, Multipart>()
  failure: 'before reading' | 'after reading' | null = null

  async #read(body: ReadableStream): Promise<Buffer> {
    if (this.failure === 'before reading') throw new Error('put: internal error (10001)')
    const bytes = await bytesIn(body)
    if (this.failure === 'after reading') throw new Error('put: internal error (10001)')
    return bytes
  }

  put = async (key: string, body: ReadableStream) => void this.objects.set(key, await this.#read(body))
  head = async (key: string): Promise<StoredObject | null> => {
    const bytes = this.objects.get(key)
    const about = { etag: 'e', httpEtag: '"e"', uploaded: new Date(0) }
    return bytes === undefined ? null : { key, size: bytes.length, ...about }
  }

  get = async (key: string, { range, onlyIf }: { range?: R2Range; onlyIf?: Headers } = {}) => {
    const object = await this.head(key)
    if (object === null || onlyIf?.get('if-none-match') === object.httpEtag) return object
    const bytes = this.objects.get(key) ?? Buffer.alloc(0)
    const whole = { offset: 0, length: bytes.length }
    const { offset, length = bytes.length } = range !== undefined && 'offset' in range ? range : whole
    return { ...object, body: new Blob([Uint8Array.from(bytes.subarray(offset, offset + length))]).stream() }
  }

  delete = async (keys: string | string[]) => {
    for (const key of [keys].flat()) this.objects.delete(key)
  }

  createMultipartUpload = async (key: string) => {
    const uploadId = `upload-${this.uploads.size + 1}`
    this.uploads.set(uploadId, { key, parts: new Map(), state: 'open' })
    return { uploadId }
  }

  resumeMultipartUpload = (key: string, uploadId: string) => {
    const open = () => {
      const upload = this.uploads.get(uploadId)
      if (upload?.state !== 'open' || upload.key !== key) throw new Error('no such upload (10024)')
      return upload
    }
    return {
      uploadPart: async (partNumber: number, body: ReadableStream) => {
        open().parts.set(partNumber, await this.#read(body))
        return { partNumber, etag: `etag-${partNumber}` }
      },
      complete: async (parts: { partNumber: number; etag: string }[]) => {
        const upload = open()
        const bytes = parts.map(({ partNumber, etag }) => {
          assert.equal(etag, `etag-${partNumber}`)
          return upload.parts.get(partNumber) ?? assert.fail(`part ${partNumber}`)
        })
        this.objects.set(key, Buffer.concat(bytes))
        upload.state = 'completed'
      },
      abort: async () => void (open().state = 'aborted'),
    }
  }
}

/** Binds the worker of the app to a live worker and a bucket, until `unbindFiles`. */
export function bindFiles(live: unknown, bucket: MemoryBucket): void {
  enableCapabilities(...CAPABILITY_KEYS)
  Object.assign(workerEnv, { LIVE: live, FILES: bucket })
  Object.assign(globalThis, { FixedLengthStream: FixedLength })
}

export function unbindFiles(): void {
  Reflect.deleteProperty(globalThis, 'FixedLengthStream')
  for (const name of ['FILES', 'LIVE']) delete workerEnv[name]
  enableCapabilities()
}
