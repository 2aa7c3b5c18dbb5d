import type { Bucket, StoredObject } from '../../bytes/bucket.ts'
import { successResponse, refusalResponse } from './answers.ts'
import type { PutGrant } from './token.ts'

/** How many used tokens are stored with an object. Each takes 48 of the 2,048 bytes of metadata. */
const USED_TOKENS_MAX = 30

/**
 * Stores a body with exactly the announced size, type and hash under the grant's key. Used tokens are stored with the object until they
 * expire, so each token works once.
 */
export async function upload(request: Request, grant: PutGrant, bucket: Bucket, now: number) {
  const wrong = grantMismatch(request, grant)
  if (wrong !== null) return wrong
  const before = await bucket.head(grant.key)
  const spent = readUsedTokens(before, now)
  if (spent.has(grant.jti)) return refusalResponse(409, 'conflict', 'This token was already used.')
  if (spent.size >= USED_TOKENS_MAX)
    return refusalResponse(429, 'rate_limited', 'This file was uploaded too often just now. Try again later.')
  spent.set(grant.jti, grant.exp)
  try {
    const stored = await bucket.put(grant.key, request.body, {
      ...(grant.sha256 === undefined ? {} : { sha256: grant.sha256 }),
      httpMetadata: { contentType: grant.contentType },
      customMetadata: spentTokens(spent),
      // Of two concurrent first uploads, only one stores the object.
      ...(before === null ? { onlyIf: new Headers({ 'if-none-match': '*' }) } : {}),
    })
    if (stored === null) return await respondAfterRace(grant, bucket, now)
  } catch (error) {
    // The bucket verifies the checksum and stores nothing when the checksum differs.
    if (!/checksum/i.test(String(error))) throw error
    return refusalResponse(400, 'invalid_request', 'body: does not have the announced SHA-256')
  }
  return successResponse({ key: grant.key })
}

function grantMismatch(request: Request, grant: PutGrant): Response | null {
  const length = request.headers.get('content-length')
  if (length === null) return refusalResponse(411, 'invalid_request', 'Content-Length: is required')
  if (Number(length) !== grant.sizeBytes)
    return refusalResponse(400, 'invalid_request', `Content-Length: must be the announced ${grant.sizeBytes}`)
  if (request.headers.get('content-type') !== grant.contentType)
    return refusalResponse(400, 'invalid_request', `Content-Type: must be the announced ${grant.contentType}`)
  return null
}

/** Returns the response for an upload when a concurrent upload, with the same or another token, has stored the object first. */
async function respondAfterRace(grant: PutGrant, bucket: Bucket, now: number): Promise<Response> {
  const isOurs = readUsedTokens(await bucket.head(grant.key), now).has(grant.jti)
  return isOurs
    ? refusalResponse(409, 'conflict', 'This token was already used.')
    : successResponse({ key: grant.key })
}

/** Returns the used tokens that have not expired, with their expiry. */
function readUsedTokens(object: StoredObject | null, now: number): Map<string, number> {
  const pairs = (object?.customMetadata?.['spent'] ?? '').split(' ').map((pair) => pair.split('.'))
  const entries = pairs.map(([jti, exp]): [string, number] => [jti ?? '', Number(exp)])
  return new Map(entries.filter(([, exp]) => exp * 1000 > now))
}

/** Returns the metadata that stores the used tokens with the object. */
const spentTokens = (spent: ReadonlyMap<string, number>): Record<string, string> => ({
  spent: [...spent].map(([jti, exp]) => `${jti}.${exp}`).join(' '),
})
