import type { CloudResponse } from './fetch.ts'

/** What may be said of bytes that come from somebody's account, and in which form. */
const SAID: Record<string, RegExp> = {
  'content-length': /^\d{1,13}$/,
  'content-range': /^bytes (?:\d{1,13}-\d{1,13}|\*)\/\d{1,13}$/,
  etag: /^"[\w-]{1,100}"$/,
}

/** Statuses of an answer that has bytes, or says which there are. */
const WITH_BYTES: readonly number[] = [200, 206, 416]

export const hasBytes = (answer: CloudResponse): boolean => WITH_BYTES.includes(answer.status)

/** Bytes out of an account as they come, in a form in which they cannot act; they are never held. */
export function passOn(answer: CloudResponse, contentType: string) {
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
