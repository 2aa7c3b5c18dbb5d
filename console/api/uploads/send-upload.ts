import type { UploadTicket } from '@slipway/sdk/client/types.gen.ts'
import { ConnectionError, SlipwayError } from '@slipway/sdk/errors.ts'

/** Aborting `signal` ends the upload. `onSent` gets the number of bytes sent so far. */
export interface UploadControl {
  signal: AbortSignal
  onSent: (bytes: number) => void
}

/**
 * Uploads a file to the upload worker of the project, with a ticket (a permission for one upload). Returns the key of
 * the stored object.
 */
export async function sendUpload(
  file: Blob,
  contentType: string,
  begin: () => Promise<UploadTicket>,
  on: UploadControl,
): Promise<string> {
  const send = async () => {
    const ticket = await begin()
    return { ticket, status: await sendBytes(ticket, file, contentType, on) }
  }
  let { ticket, status } = await send()
  // The token expired while the file was queued, so request a new token once and send the file again.
  if (status === 401 || status === 403) ({ ticket, status } = await send())
  if (status < 200 || status > 299)
    throw new SlipwayError(`The upload worker returned status ${status}.`, { code: 'upstream_error', status })
  return ticket.key
}

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. Resolves with the status. */
function sendBytes(
  ticket: { uploadUrl: string; token: string },
  file: Blob,
  contentType: string,
  { signal, onSent }: UploadControl,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('load', () => resolve(request.status))
    request.addEventListener('error', () => reject(new ConnectionError('The upload worker did not respond.')))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open('PUT', ticket.uploadUrl)
    request.setRequestHeader('Authorization', `Bearer ${ticket.token}`)
    request.setRequestHeader('Content-Type', contentType)
    request.send(file)
  })
}
