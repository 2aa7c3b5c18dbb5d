import type { ResultOf, ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    files: FilesBinding & OwnFilesBinding
  }
}

export interface FileRef {
  id: string
  key: string
  name: string
  type: string
  size: number
  /** The owner's id; null for the app itself. */
  ownerId: string | null
  createdAt: string
}

export interface FilePage {
  items: FileRef[]
  nextCursor: string | null
}

export interface TicketOptions {
  /** The owner of the file, whose storage limit applies. Without an owner the file counts toward the total of all visitors. */
  owner?: string
  maxBytes?: number
  /** Allowed media types, such as `image/*` or `application/pdf`. */
  types?: string[]
  /** At most a day; ten minutes by default. */
  ttlSeconds?: number
}

export interface NewFile {
  name: string
  type: string
  size: number
}

/** A new file as a request describes it. The Durable Object that lists the files validates it. */
export type UncheckedFile = Record<keyof NewFile, unknown>

export interface DeletedFile {
  id: string
  key: string
  multipart?: string | null
}

export interface OpenUpload {
  file: FileRef
  /** Authorizes the next requests of this upload. */
  token: string
  dead: DeletedFile[]
}

export interface OngoingUpload {
  file: FileRef
  /** The bucket's id of a multipart upload; null when the file is sent whole or nothing was sent yet. */
  multipart: string | null
}

export interface FilesCalls {
  ticket: { ask: TicketOptions; answer: string }
  /** `ticket` comes from the browser that uploads. Without a ticket the app's server code uploads. */
  open: { ask: { file: UncheckedFile; ticket?: string; owner?: string | null }; answer: OpenUpload }
  going: { ask: { id: string; token: string }; answer: OngoingUpload }
  /** Stores the bucket's id of a multipart upload. Returns the id that was stored first. */
  multipart: { ask: { id: string; multipart: string }; answer: string }
  part: { ask: { id: string; number: number; etag: string }; answer: null }
  parts: { ask: { id: string }; answer: { partNumber: number; etag: string }[] }
  finish: { ask: { id: string }; answer: FileRef }
  find: { ask: { id: string }; answer: FileRef | null }
  /** Leaves out files that do not exist. */
  owners: { ask: { ids: string[] }; answer: { id: string; ownerId: string | null }[] }
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  verify: { ask: { id: string; query: string }; answer: { file: FileRef; isDownload: boolean } | null }
  widths: { ask: object; answer: readonly number[] }
  /** Marks a file as deleted. The caller then deletes its bytes from the bucket and calls `gone`. */
  remove: { ask: { id: string }; answer: string | null }
  gone: { ask: { ids: string[] }; answer: null }
  /**
   * Ends an owner's unfinished uploads. Returns the owner's deleted files whose bytes may still be in the
   * bucket.
   */
  abandon: { ask: { owner: string }; answer: DeletedFile[] }
}

/**
 * The RPC methods for a person who is signed in. For a file of another person they throw `not_found`, except
 * for staff.
 */
export interface OwnFilesCalls {
  open: { ask: { file: UncheckedFile }; answer: OpenUpload }
  find: { ask: { id: string }; answer: FileRef }
  /** Lists the person's own files. Staff may name another owner (a user id), or null for every file. */
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  /** Marks a file as deleted. The caller then deletes its bytes from the bucket and calls `gone`. */
  remove: { ask: { id: string }; answer: string }
}

/** The RPC method for the app's server code, which may use every file. */
export interface FilesBinding {
  files: ResultMethod<FilesCalls>
}

/** The RPC method for the person whose session this is, with their rights. */
export interface OwnFilesBinding {
  ownFiles<Kind extends keyof OwnFilesCalls>(
    session: string,
    kind: Kind,
    ask: OwnFilesCalls[Kind]['ask'],
  ): Promise<ResultOf<OwnFilesCalls, Kind>>
}
