import { type Bucket, type StoredObject } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'
import { type UnvalidatedFields, fieldsOf } from '../../kernel/fields.ts'

/** The longest key that a bucket accepts. */
const KEY_BYTES_MAX = 1024

/** Who sent the request. Only the app's worker sets it, after it has checked the session. */
export type Viewer = 'visitor' | 'member'

/**
 * Returns an asset; null when there is none, or this viewer may not see it. Uploads in progress and attachments
 * have no metadata `access` and are never served. Only public assets may be cached.
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
    const access = readAccess(object)
    isPublic = access['kind'] === 'public'
    return isPublic || (viewer === 'member' && mayMemberSee(access, products))
  })
  answer?.headers.set('cache-control', isPublic ? `public, max-age=${cacheSeconds}` : 'private, no-store')
  return answer
}

/** Returns whether a signed-in person with access to these products may see an object that is not public. */
const mayMemberSee = ({ kind, productId }: UnvalidatedFields, products: readonly string[]): boolean =>
  kind === 'members' || (kind === 'product' && products.some((one) => one === productId))

/** Returns who may see the asset, from its metadata; an empty object when the metadata has none. */
function readAccess(object: StoredObject): UnvalidatedFields {
  try {
    return fieldsOf(JSON.parse(object.customMetadata?.['access'] ?? '{}'))
  } catch {
    return {}
  }
}
