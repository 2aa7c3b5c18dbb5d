import type { ResultOf, ResultMethod } from '../kernel/calls.ts'

/** The owner of files of visitors, whom nothing tells apart. */
export const VISITORS = 'visitors'

/** A stored file. */
export interface FileRef {
  id: string
  key: string
  name: string
  type: string
  /** Bytes. */
  size: number
  /** The owner; null: the app itself. */
  ownerId: string | null
  createdAt: string
}

export interface FilePage {
  items: FileRef[]
  nextCursor: string | null
}

/** What may be uploaded: created by the app's server code, given to a page. */
export interface TicketOptions {
  /** The owner of the file, whose total it counts against; without one all visitors share one total. */
  owner?: string
  maxBytes?: number
  /** Media types, such as `image/*` or `application/pdf`. */
  types?: string[]
  /** Up to a day; default ten minutes. */
  ttlSeconds?: number
}

export interface NewFile {
  name: string
  type: string
  size: number
}

/** A file that is hidden and whose bytes are to be removed. */
export interface DeletedFile {
  id: string
  key: string
  /** The bucket's own id of an upload in parts, which is to be aborted. */
  multipart?: string | null
}

/** Where the bytes of a file go, and what else is to be removed from the bucket now. */
export interface OpenUpload {
  file: FileRef
  /** Authorizes the next requests of this upload. */
  token: string
  dead: DeletedFile[]
}

/** An upload in progress, for the requests that send its bytes. */
export interface GoingUpload {
  file: FileRef
  /** The bucket's own id of an upload in parts. */
  multipart: string | null
}

export interface FilesCalls {
  ticket: { ask: TicketOptions; answer: string }
  /** With a ticket by a visitor, without one by the app itself. */
  open: { ask: { file: NewFile; ticket?: string; owner?: string | null }; answer: OpenUpload }
  going: { ask: { id: string; token: string }; answer: GoingUpload }
  /** Stores the bucket's id of an upload in parts; the first one wins. */
  multipart: { ask: { id: string; multipart: string }; answer: string }
  part: { ask: { id: string; number: number; etag: string }; answer: null }
  parts: { ask: { id: string }; answer: { partNumber: number; etag: string }[] }
  finish: { ask: { id: string }; answer: FileRef }
  find: { ask: { id: string }; answer: FileRef | null }
  /** Those of these files that are there, each with its owner. */
  owners: { ask: { ids: string[] }; answer: { id: string; ownerId: string | null }[] }
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  verify: { ask: { id: string; query: string }; answer: { file: FileRef; isDownload: boolean } | null }
  /** In which widths pictures are shown. */
  widths: { ask: object; answer: readonly number[] }
  /** Hides a file; the caller then removes its bytes and calls `gone`. */
  remove: { ask: { id: string }; answer: string | null }
  gone: { ask: { ids: string[] }; answer: null }
  /** Ends the unfinished uploads of an owner, and returns what of theirs is hidden and may still be in the bucket. */
  abandon: { ask: { owner: string }; answer: DeletedFile[] }
}

/** Calls for the person who is signed in; a file of another person is not found, except by staff. */
export interface OwnFilesCalls {
  open: { ask: { file: NewFile }; answer: OpenUpload }
  find: { ask: { id: string }; answer: FileRef }
  /** Their own; staff may name another owner (a user id), or null for every file. */
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  /** Hides a file; the caller then removes its bytes and calls `gone`. */
  remove: { ask: { id: string }; answer: string }
}

/** What the app's worker may call of the object that keeps the list of files. */
export interface FilesBinding {
  files: ResultMethod<FilesCalls>
}

/** What the app's worker may call for a session. */
export interface OwnFilesBinding {
  ownFiles<Kind extends keyof OwnFilesCalls>(
    session: string,
    kind: Kind,
    ask: OwnFilesCalls[Kind]['ask'],
  ): Promise<ResultOf<OwnFilesCalls, Kind>>
}
