export interface Bucket {
  head(key: string): Promise<StoredObject | null>
  /** Returns the object without a body when the condition `onlyIf` fails. */
  get(key: string, options?: { range?: R2Range; onlyIf?: Headers }): Promise<ReadObject | null>
  /** Returns null when the condition `onlyIf` fails. */
  put(
    key: string,
    body: ReadableStream | Uint8Array | string | null,
    options: {
      /** The bucket rejects content that has another hash. */
      sha256?: string
      httpMetadata: { contentType?: string }
      customMetadata: Record<string, string>
      onlyIf?: Headers | { etagMatches: string; uploadedBefore: Date }
    },
  ): Promise<StoredObject | null>
}

export interface FileBucket extends Bucket {
  delete(keys: string | string[]): Promise<void>
  list(options: { prefix: string; limit?: number; startAfter?: string; include?: string[] }): Promise<{
    objects: StoredObject[]
    truncated: boolean
  }>
  createMultipartUpload(
    key: string,
    options: { httpMetadata: { contentType?: string }; customMetadata: Record<string, string> },
  ): Promise<{ uploadId: string }>
  resumeMultipartUpload(
    key: string,
    uploadId: string,
  ): {
    uploadPart(partNumber: number, body: ReadableStream | Uint8Array): Promise<UploadedPart>
    complete(parts: UploadedPart[]): Promise<StoredObject>
    abort(): Promise<void>
  }
}

export interface UploadedPart {
  partNumber: number
  etag: string
}

export type R2Range = { offset: number; length?: number } | { suffix: number }

export interface StoredObject {
  key: string
  size: number
  etag: string
  /** The etag in quotes, as a header needs it. */
  httpEtag: string
  uploaded: Date
  httpMetadata?: { contentType?: string }
  customMetadata?: Record<string, string>
}

export interface ReadObject extends StoredObject {
  body?: ReadableStream
}

export const contentTypeOf = (object: StoredObject): string =>
  object.httpMetadata?.contentType ?? 'application/octet-stream'
