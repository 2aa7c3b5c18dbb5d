/** The part of an R2 binding that the upload worker uses. */
export interface Bucket {
  head(key: string): Promise<StoredObject | null>
  get(key: string): Promise<(StoredObject & { body: ReadableStream }) | null>
  /** Null: `onlyIf` did not hold. */
  put(
    key: string,
    body: ReadableStream | null,
    options: {
      /** The bucket refuses other bytes. */
      sha256: string
      httpMetadata: { contentType: string }
      customMetadata: Record<string, string>
      onlyIf?: Headers
    },
  ): Promise<StoredObject | null>
}

export interface StoredObject {
  size: number
  httpMetadata?: { contentType?: string }
  customMetadata?: Record<string, string>
}
