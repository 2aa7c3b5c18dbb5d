import type { ImageWidth } from '../bytes/image-widths.ts'
import { invalid } from '../kernel/errors.ts'
import { removeBytes } from './copies.ts'
import { callFiles, fileBucket } from './rpc-client.ts'
import { serveFile } from './serve.ts'
import { cancelUpload, openUpload, storeWhole } from './store-bytes.ts'
import type { FilePage, FileRef, TicketOptions } from './types.ts'

export type { FilePage, FileRef, TicketOptions } from './types.ts'

type FileBody = ReadableStream | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string

export interface ServerFiles {
  /** Stores a file that belongs to the app itself, or to `owner`. A stream needs its `size` in bytes. */
  put(
    body: FileBody,
    about: { name: string; type: string; owner?: string | undefined; size?: number | undefined },
  ): Promise<FileRef>
  /** Returns the file's metadata, or null. */
  find(id: string): Promise<FileRef | null>
  /** Returns the file as a response, for a route that checks access itself; null when there is no such file. */
  get(id: string, request?: Request): Promise<Response | null>
  /** Returns a temporary link for `src` and `href` (default one hour, at most a day). */
  url(
    id: string,
    options?: { ttlSeconds?: number | undefined; download?: boolean | undefined },
  ): Promise<string>
  /**
   * Like `url`, for a picture of at most `width` pixels. When a copy cannot be created, or the operator has switched this width off, the
   * link shows the whole picture.
   */
  imageUrl(id: string, options: { width: ImageWidth; ttlSeconds?: number | undefined }): Promise<string>
  /** Lists files, newest first, 50 at a time. With `owner: null` it lists the app's own files. */
  list(query?: {
    owner?: string | null | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<FilePage>
  /** Returns false when there was no such file. */
  remove(id: string): Promise<boolean>
  /** Returns a ticket for one upload. Your route decides who gets it; the page passes it to `files.upload`. */
  ticket(options?: TicketOptions): Promise<string>
}

export const files: ServerFiles = {
  async put(body, { name, type, owner, size }) {
    const isStream = body instanceof ReadableStream
    if (isStream && size === undefined) throw invalid('size', 'must be given for a stream')
    const blob = isStream ? null : new Blob([body])
    const opened = await openUpload({
      file: { name, type, size: blob?.size ?? size ?? 0 },
      owner: owner ?? null,
    })
    const upload = { file: opened.file, multipart: null }
    try {
      return await storeWhole(upload, blob?.stream() ?? (body as ReadableStream))
    } catch (error) {
      // When this call also fails, the upload counts towards the allowance for a day.
      await cancelUpload(upload).catch(() => {})
      throw error
    }
  },
  find: (id) => callFiles('find', { id }),
  async get(id, request) {
    const file = await callFiles('find', { id })
    return file === null ? null : await serveFile(file, request?.headers ?? new Headers())
  },
  async url(id, { ttlSeconds = 3600, download = false } = {}) {
    return `/_app/files/${id}?${await callFiles('sign', { id, ttlSeconds, isDownload: download })}`
  },
  async imageUrl(id, { width, ttlSeconds }) {
    return `${await files.url(id, { ttlSeconds })}&width=${width}`
  },
  list: ({ owner, limit, cursor } = {}) =>
    callFiles('list', {
      ...(owner === undefined ? {} : { owner }),
      ...(limit === undefined ? {} : { limit }),
      ...(cursor === undefined ? {} : { cursor }),
    }),
  async remove(id) {
    const key = await callFiles('remove', { id })
    if (key === null) return false
    await removeBytes(fileBucket(), [key])
    await callFiles('gone', { ids: [id] })
    return true
  },
  ticket: (options = {}) => callFiles('ticket', options),
}
