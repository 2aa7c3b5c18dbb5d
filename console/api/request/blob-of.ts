import { UnexpectedResponseError } from '@slipway/sdk/errors.ts'

/** Returns the body of a response that was read with `parseAs: 'blob'`; the generated type of such a body is string. */
export function blobOf(data: unknown): Blob {
  if (data instanceof Blob) return data
  throw new UnexpectedResponseError('The response is not a file.', { status: 200 })
}
