import { ConnectionError, SlipwayError } from '@slipway/sdk/errors.ts'
import { beginUpload, finishUpload } from '../../api/assets.ts'
import type { Candidate } from './upload-check.ts'

/** Uploads one file: a ticket, its bytes straight to the account's upload worker, and then it is an asset. */
export async function sendFile(
  projectId: string,
  file: File,
  about: Candidate,
  on: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<void> {
  const send = async () => {
    const ticket = await beginUpload(projectId, about, on.signal)
    const status = await put(ticket, file, about.contentType, on)
    return { ticket, status }
  }
  let { ticket, status } = await send()
  // The token has run out while the file waited: a new one is asked for, once.
  if (status === 401 || status === 403) ({ ticket, status } = await send())
  if (status < 200 || status > 299)
    throw new SlipwayError(`The upload worker answered ${status}.`, { code: 'upstream_error', status })
  await finishUpload(projectId, ticket.key, on.signal)
}

/** `fetch` cannot tell how far it is; the older interface can. Resolves with the status. */
function put(
  ticket: { uploadUrl: string; token: string },
  file: File,
  contentType: string,
  { signal, onSent }: { signal: AbortSignal; onSent: (bytes: number) => void },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort, { once: true })
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('load', () => resolve(request.status))
    request.addEventListener('error', () => reject(new ConnectionError('The upload worker did not answer.')))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.open('PUT', ticket.uploadUrl)
    request.setRequestHeader('Authorization', `Bearer ${ticket.token}`)
    request.setRequestHeader('Content-Type', contentType)
    request.send(file)
  })
}
