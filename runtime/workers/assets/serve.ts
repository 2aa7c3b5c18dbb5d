import { type Bucket, type StoredObject } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'

/** Longest key a bucket accepts. */
const KEY_BYTES_MAX = 1024

/**
 * Returns an asset to a visitor; null when there is none for them. Only objects stamped `public` are served:
 * uploads in progress, attachments and assets for members have no such stamp.
 */
export async function serveAsset(
  bucket: Bucket,
  key: string,
  asked: Headers,
  cacheSeconds: string,
): Promise<Response | null> {
  if (key.startsWith('_') || new TextEncoder().encode(key).length > KEY_BYTES_MAX) return null
  const answer = await serveObject(bucket, key, asked, isPublic)
  answer?.headers.set('cache-control', `public, max-age=${cacheSeconds}`)
  return answer
}

function isPublic(object: StoredObject): boolean {
  try {
    return (JSON.parse(object.customMetadata?.['access'] ?? '{}') as { kind?: unknown }).kind === 'public'
  } catch {
    return false
  }
}
