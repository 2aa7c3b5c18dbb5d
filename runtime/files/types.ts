import type { ResultOf, ResultMethod } from '../kernel/calls.ts'

/** All visitors share one owner, because they cannot be told apart. */
export const VISITORS = 'visitors'

export interface FileRef {
  id: string
  key: string
  name: string
  type: string
  size: number
  /** The owner; null: the app itself. */
  ownerId: string | null
  createdAt: string
}

export interface FilePage {
  items: FileRef[]
  nextCursor: string | null
}

export interface TicketOptions {
  /** The owner of the file, against whose total it counts. Without one it counts against the total of all visitors. */
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

export interface GoingUpload {
  file: FileRef
  /** The bucket's own id of an upload in parts; null: whole, or not begun. */
  multipart: string | null
}

export interface FilesCalls {
  ticket: { ask: TicketOptions; answer: string }
  /** `ticket`: sent by a visitor. Without one the app itself uploads. */
  open: { ask: { file: NewFile; ticket?: string; owner?: string | null }; answer: OpenUpload }
  going: { ask: { id: string; token: string }; answer: GoingUpload }
  /** Stores the bucket's id of an upload in parts; the first one wins. */
  multipart: { ask: { id: string; multipart: string }; answer: string }
  part: { ask: { id: string; number: number; etag: string }; answer: null }
  parts: { ask: { id: string }; answer: { partNumber: number; etag: string }[] }
  finish: { ask: { id: string }; answer: FileRef }
  find: { ask: { id: string }; answer: FileRef | null }
  /** Files that do not exist are left out. */
  owners: { ask: { ids: string[] }; answer: { id: string; ownerId: string | null }[] }
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  verify: { ask: { id: string; query: string }; answer: { file: FileRef; isDownload: boolean } | null }
  widths: { ask: object; answer: readonly number[] }
  /** Hides a file; the caller then removes its bytes and calls `gone`. */
  remove: { ask: { id: string }; answer: string | null }
  gone: { ask: { ids: string[] }; answer: null }
  /** Ends the unfinished uploads of an owner. Returns their hidden files that may still be in the bucket. */
  abandon: { ask: { owner: string }; answer: DeletedFile[] }
}

/** For the person who is signed in. The file of another person counts as missing, except for staff. */
export interface OwnFilesCalls {
  open: { ask: { file: NewFile }; answer: OpenUpload }
  find: { ask: { id: string }; answer: FileRef }
  /** Their own; staff may name another owner (a user id), or null for every file. */
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  /** Hides a file; the caller then removes its bytes and calls `gone`. */
  remove: { ask: { id: string }; answer: string }
}

/** For the app's worker. */
export interface FilesBinding {
  files: ResultMethod<FilesCalls>
}

/** For a session of the app's worker. */
export interface OwnFilesBinding {
  ownFiles<Kind extends keyof OwnFilesCalls>(
    session: string,
    kind: Kind,
    ask: OwnFilesCalls[Kind]['ask'],
  ): Promise<ResultOf<OwnFilesCalls, Kind>>
}
