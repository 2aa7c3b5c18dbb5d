import { type Bucket, type StoredObject } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'

/** Longest key a bucket accepts. */
const KEY_BYTES_MAX = 1024

/** Who asks for an asset. Only the app's worker says so, after it has checked the session. */
export type Viewer = 'visitor' | 'member'

interface Access {
  kind?: unknown
  productId?: unknown
}

/**
 * Returns an asset to a viewer; null when there is none for them. Uploads in progress and attachments have no stamp and
 * are never served. What is not public stays in no cache.
 */
export async function serveAsset(
  bucket: Bucket,
  key: string,
  asked: Headers,
  { cacheSeconds, viewer, products }: { cacheSeconds: string; viewer: Viewer; products: readonly string[] },
): Promise<Response | null> {
  if (key.startsWith('_') || new TextEncoder().encode(key).length > KEY_BYTES_MAX) return null
  let isPublic = false
  const answer = await serveObject(bucket, key, asked, (object) => {
    const access = accessOf(object)
    isPublic = access.kind === 'public'
    return isPublic || (viewer === 'member' && mayMemberSee(access, products))
  })
  answer?.headers.set('cache-control', isPublic ? `public, max-age=${cacheSeconds}` : 'private, no-store')
  return answer
}

/** Objects with another word, or none, are not served. */
const mayMemberSee = ({ kind, productId }: Access, products: readonly string[]): boolean =>
  kind === 'members' || (kind === 'product' && products.some((one) => one === productId))

/** Returns the access stamped on an object; empty without a stamp. */
function accessOf(object: StoredObject): Access {
  try {
    return JSON.parse(object.customMetadata?.['access'] ?? '{}') as Access
  } catch {
    return {}
  }
}
