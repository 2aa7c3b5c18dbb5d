import { type Bucket, contentTypeOf, type ReadObject, type StoredObject } from './bucket.ts'
import { parseRange, resolveRange } from './range.ts'

/** Headers that keep a browser from treating a file as a page of this site, whatever the file contains. */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
}

/**
 * Returns the response for an object: 200, 206 for a range, 304 when unchanged, 416 for a range outside the object. Returns null when there
 * is no such object or `allow` returns false. The body is streamed.
 */
export async function serveObject(
  bucket: Bucket,
  key: string,
  asked: Headers,
  allow: (object: StoredObject) => boolean,
): Promise<Response | null> {
  const range = parseRange(asked.get('range'))
  if (range === null) return wholeObject(await bucket.get(key, { onlyIf: readConditions(asked) }), allow)
  const object = await bucket.head(key)
  if (object === null || !allow(object)) return null
  const isOther = asked.has('if-range') && asked.get('if-range') !== object.httpEtag
  if (isOther) return wholeObject(await bucket.get(key), allow)
  const part = resolveRange(range, object.size)
  if (part === null) {
    const headers = {
      ...INERT_HEADERS,
      'content-range': `bytes */${object.size}`,
      'cache-control': 'no-store',
    }
    return new Response(null, { status: 416, headers })
  }
  // The part was computed from the size of this version of the object, so the read must fail if the object was replaced since.
  const onlyIf = new Headers({ 'if-match': object.httpEtag })
  const found = await bucket.get(key, { range: part, onlyIf })
  if (found === null || !allow(found)) return null
  // The object was replaced in the meantime, so compute the part again from the size of the new object.
  if (found.body === undefined) return await serveObject(bucket, key, asked, allow)
  const headers = objectHeaders(found, part.length)
  headers.set('content-range', `bytes ${part.offset}-${part.offset + part.length - 1}/${found.size}`)
  return new Response(found.body, { status: 206, headers })
}

/** Returns only the condition headers of the request that apply to reads. */
function readConditions(asked: Headers): Headers {
  const etag = asked.get('if-none-match')
  return new Headers(etag === null ? {} : { 'if-none-match': etag })
}

function wholeObject(object: ReadObject | null, allow: (object: StoredObject) => boolean): Response | null {
  if (object === null || !allow(object)) return null
  if (object.body === undefined) {
    const headers = objectHeaders(object, 0)
    headers.delete('content-length')
    return new Response(null, { status: 304, headers })
  }
  return new Response(object.body, { headers: objectHeaders(object, object.size) })
}

const objectHeaders = (object: StoredObject, lengthBytes: number): Headers =>
  new Headers({
    ...INERT_HEADERS,
    'content-type': contentTypeOf(object),
    'content-length': String(lengthBytes),
    etag: object.httpEtag,
    'accept-ranges': 'bytes',
  })
