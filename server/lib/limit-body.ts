import { Response } from 'undici'

/** Enough for a page of the largest records of an app, and for a model's response. */
export const RESPONSE_BYTES_MAX = 32 * 1024 * 1024

/**
 * Returns the response with a body that fails after `bytesMax` bytes. Counts the bytes as a reader gets them: a hostile server can send a
 * few kilobytes that decompress to gigabytes, which the limits of the HTTP client do not count.
 */
export function limitBody(response: Response, bytesMax: number): Response {
  if (response.body === null || bytesMax === Infinity) return response
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) throw new Error(`The response has more than ${bytesMax} bytes.`)
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body.pipeThrough(counter), {
    // The constructor accepts no greater status, and only a hostile server sends one.
    status: Math.min(response.status, 599),
    statusText: response.statusText,
    headers: response.headers,
  })
}
