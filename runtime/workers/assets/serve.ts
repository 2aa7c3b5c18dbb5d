import { type Bucket, type StoredObject } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'

/** Longest key a bucket accepts. */
const KEY_BYTES_MAX = 1024

/** Who asks for an asset. Only the app's worker says so, after it has checked the session. */
export type Viewer = 'visitor' | 'member'

/** Access words that each viewer passes; objects without one of them are served to nobody. */
const PASSES: Record<Viewer, readonly unknown[]> = { visitor: ['public'], member: ['public', 'members'] }

/**
 * Returns an asset to a viewer; null when there is none for them. Uploads in progress and attachments have no stamp and
 * are never served. What is not public stays in no cache.
 */
export async function serveAsset(
  bucket: Bucket,
  key: string,
  asked: Headers,
  { cacheSeconds, viewer }: { cacheSeconds: string; viewer: Viewer },
): Promise<Response | null> {
  if (key.startsWith('_') || new TextEncoder().encode(key).length > KEY_BYTES_MAX) return null
  let isPublic = false
  const answer = await serveObject(bucket, key, asked, (object) => {
    const access = accessOf(object)
    isPublic = access === 'public'
    return PASSES[viewer].includes(access)
  })
  answer?.headers.set('cache-control', isPublic ? `public, max-age=${cacheSeconds}` : 'private, no-store')
  return answer
}

/** The access word stamped on an object; undefined without a stamp. */
function accessOf(object: StoredObject): unknown {
  try {
    return (JSON.parse(object.customMetadata?.['access'] ?? '{}') as { kind?: unknown }).kind
  } catch {
    return undefined
  }
}
