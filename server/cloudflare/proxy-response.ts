import type { CloudResponse } from './fetch.ts'

/** The response headers of Cloudflare that are sent to the client, each with the pattern that its value must match. */
const PASSED_HEADERS: Record<string, RegExp> = {
  'content-length': /^\d{1,13}$/,
  'content-range': /^bytes (?:\d{1,13}-\d{1,13}|\*)\/\d{1,13}$/,
  etag: /^"[\w-]{1,100}"$/,
}

/**
 * The statuses that are sent to the client unchanged: 200 for a whole object, 206 for a range of it, 416 for a range
 * outside the object. A 416 also contains the object's size in `content-range`.
 */
const STATUSES_WITH_BODY: readonly number[] = [200, 206, 416]

export const hasBytes = (response: CloudResponse): boolean => STATUSES_WITH_BODY.includes(response.status)

/**
 * Streams a file from the connected account to the client without buffering it. The response headers prevent a
 * browser from rendering the file as a page.
 */
export function proxyResponse(response: CloudResponse, contentType: string) {
  const said = Object.entries(PASSED_HEADERS).flatMap(([name, form]) => {
    const value = response.headers.get(name)
    return value !== null && form.test(value) ? [[name, value]] : []
  })
  return {
    status: response.status as 200 | 206 | 416,
    body: (response.body as ReadableStream<Uint8Array> | null) ?? '',
    contentType,
    headers: {
      ...Object.fromEntries(said),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  }
}
