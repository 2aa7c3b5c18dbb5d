import type { CloudResponse } from './fetch.ts'

/** Headers of a customer's account that may be passed on, and the only form in which they are. */
const SAID: Record<string, RegExp> = {
  'content-length': /^\d{1,13}$/,
  'content-range': /^bytes (?:\d{1,13}-\d{1,13}|\*)\/\d{1,13}$/,
  etag: /^"[\w-]{1,100}"$/,
}

/** 206 has a range of bytes, 416 the length of the object. */
const WITH_BYTES: readonly number[] = [200, 206, 416]

export const hasBytes = (answer: CloudResponse): boolean => WITH_BYTES.includes(answer.status)

/**
 * Returns bytes from an account as a stream with headers that keep them from acting as a page. They are never
 * buffered.
 */
export function proxyResponse(answer: CloudResponse, contentType: string) {
  const said = Object.entries(SAID).flatMap(([name, form]) => {
    const value = answer.headers.get(name)
    return value !== null && form.test(value) ? [[name, value]] : []
  })
  return {
    status: answer.status as 200 | 206 | 416,
    body: (answer.body as ReadableStream<Uint8Array> | null) ?? '',
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
