import { ApiError, fromFailure } from '../kernel/errors.ts'
import { fileLink, type FileLocation } from '../data/file-link.ts'
import { callRoute } from '../web/api.ts'
import type { FilePage, FileRef } from './types.ts'
import { type UnvalidatedFields, fieldsOf } from '../kernel/fields.ts'
import { storedFileName } from '../kernel/file-name.ts'

export type { FileRef } from './types.ts'

interface UploadOptions {
  onProgress?: ((share: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface BrowserFiles {
  /**
   * Uploads a file for the person who is signed in, or with a ticket from the app's server code (`files.ticket()`). `onProgress` is called
   * with 0 to 1.
   */
  upload(file: File, options?: UploadOptions & { ticket?: string | undefined }): Promise<FileRef>
  /** Lists the person's own files, newest first, 50 at a time. Staff may list another person's files or everyone's. */
  list(query?: {
    owner?: string | undefined
    everyone?: boolean | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<FilePage>
  /** Returns a link that works for anyone who has it (default one hour, at most a day). */
  url(
    id: string,
    options?: { ttlSeconds?: number | undefined; download?: boolean | undefined },
  ): Promise<string>
  /** Returns the address of the file in a record's field, for `src` and `href`. It works for people who may read the record. */
  linkOf(location: FileLocation & { download?: boolean | undefined }): string
  remove(id: string): Promise<void>
}

const FILES_PATH = '/_app/files'
const PARTS_AT_ONCE = 4

export const files: BrowserFiles = {
  async upload(file, { ticket, onProgress, signal } = {}) {
    const about = { name: storedFileName(file.name) || 'file', type: fileType(file), size: file.size }
    const opened = await sendRequest<OpenedUpload>('POST', '', {
      body: JSON.stringify(about),
      headers: {
        'content-type': 'application/json',
        ...(ticket !== undefined && { 'x-files-ticket': ticket }),
      },
      signal,
    })
    try {
      return await sendBytes(file, opened, { onProgress, signal })
    } catch (error) {
      // Without this request the announced bytes would count towards their owner's allowance for a day.
      const headers = { 'x-files-token': opened.token }
      sendRequest('DELETE', `/${opened.id}`, { headers, signal: undefined }).catch(() => {})
      throw error
    }
  },
  list({ owner, everyone, limit, cursor } = {}) {
    const query = new URLSearchParams({
      ...(owner !== undefined && { owner }),
      ...(everyone === true && { everyone: '1' }),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(cursor !== undefined && { cursor }),
    })
    return callRoute('GET', `${FILES_PATH}?${query.toString()}`)
  },
  async url(id, { ttlSeconds = 3600, download = false } = {}) {
    const query = `seconds=${ttlSeconds}${download ? '&download=1' : ''}`
    const { url } = await callRoute<{ url: string }>(
      'GET',
      `${FILES_PATH}/${encodeURIComponent(id)}/url?${query}`,
    )
    return url
  },
  linkOf: ({ download, ...location }) => fileLink(location, download),
  async remove(id) {
    await callRoute('DELETE', `${FILES_PATH}/${encodeURIComponent(id)}`)
  },
}

interface OpenedUpload {
  id: string
  token: string
  partBytes: number | null
}

async function sendBytes(
  file: File,
  { id, token, partBytes }: OpenedUpload,
  { onProgress, signal }: UploadOptions,
): Promise<FileRef> {
  const headers = { 'x-files-token': token, 'content-type': 'application/octet-stream' }
  const progress = progressOf(file.size, onProgress)
  if (partBytes === null)
    return await sendRequest('PUT', `/${id}`, { body: file, headers, signal, progress: progress(0) })
  const numbers = Array.from({ length: Math.ceil(file.size / partBytes) }, (_, index) => index + 1)
  const sendParts = async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const body = file.slice((number - 1) * partBytes, number * partBytes)
      await sendRequest('PUT', `/${id}/parts/${number}`, {
        body,
        headers,
        signal,
        progress: progress(number),
      })
    }
  }
  // After a failed part the file cannot be completed, so send no further parts.
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sendParts)).finally(() => numbers.splice(0))
  return await sendRequest('POST', `/${id}/complete`, { headers, signal })
}

const fileType = (file: File): string =>
  file.type.split(';')[0]?.trim().toLowerCase() || 'application/octet-stream'

function progressOf(total: number, tell: ((share: number) => void) | undefined) {
  const sent = new Map<number, number>()
  return (part: number) => (bytes: number) => {
    sent.set(part, bytes)
    tell?.(Math.min(1, [...sent.values()].reduce((sum, one) => sum + one, 0) / total))
  }
}

interface SendOptions {
  headers: Record<string, string>
  body?: Blob | string
  signal: AbortSignal | undefined
  progress?: (bytes: number) => void
}

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function sendRequest<T>(
  method: string,
  path: string,
  { headers, body, signal, progress }: SendOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open(method, FILES_PATH + path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => progress?.(loaded))
    request.addEventListener('abort', () =>
      reject(signal?.reason ?? new DOMException('aborted', 'AbortError')),
    )
    request.addEventListener('error', () => reject(new ApiError('unavailable', 'The app cannot be reached.')))
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', stop))
    request.addEventListener('load', () => {
      const { ok, data, error } = parseResponse(request.responseText)
      if (ok === true) resolve(data as T)
      else reject(fromFailure(fieldsOf(error)))
    })
    signal?.throwIfAborted()
    signal?.addEventListener('abort', stop)
    request.send(body ?? null)
  })
}

function parseResponse(text: string): UnvalidatedFields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}
