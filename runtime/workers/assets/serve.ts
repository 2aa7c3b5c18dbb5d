import { type Bucket, type StoredObject } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'

/** The longest key that a bucket accepts. */
const KEY_BYTES_MAX = 1024

/** Only the app's worker says who asks, after it has checked the session. */
export type Viewer = 'visitor' | 'member'

interface Access {
  kind?: unknown
  productId?: unknown
}

/**
 * Null when there is no asset, or not for this viewer. Uploads in progress and attachments have no stamp and are never served.
 * Assets that are not public are not cached.
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

/** Objects with another kind, or none, are not served. */
const mayMemberSee = ({ kind, productId }: Access, products: readonly string[]): boolean =>
  kind === 'members' || (kind === 'product' && products.some((one) => one === productId))

/** Empty for an object without a stamp. */
function accessOf(object: StoredObject): Access {
  try {
    return JSON.parse(object.customMetadata?.['access'] ?? '{}') as Access
  } catch {
    return {}
  }
}
