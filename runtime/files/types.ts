import type { Failure } from '../kernel/errors.ts'

/** A stored file. */
export interface FileRef {
  id: string
  key: string
  name: string
  type: string
  /** Bytes. */
  size: number
  /** Whose it is; null: the app's own. */
  ownerId: string | null
  createdAt: string
}

export interface FilePage {
  items: FileRef[]
  nextCursor: string | null
}

/** What somebody may upload: made by the app's server code, given to a page. */
export interface TicketOptions {
  /** Whose file it becomes and whose allowance it counts against; without one all visitors share theirs. */
  owner?: string
  maxBytes?: number
  /** Media types, as `image/*` or `application/pdf`. */
  types?: string[]
  /** Up to a day; default ten minutes. */
  ttlSeconds?: number
}

export interface NewFile {
  name: string
  type: string
  size: number
}

/** Where the bytes of a file go, and what else is to be removed from the bucket now. */
export interface OpenUpload {
  file: FileRef
  /** Proves to the next requests that they belong to this upload. */
  token: string
  dead: { id: string; key: string }[]
}

/** An upload under way, as a request that carries bytes needs it. */
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
  /** Notes the bucket's id of an upload in parts; the first one counts. */
  multipart: { ask: { id: string; multipart: string }; answer: string }
  part: { ask: { id: string; number: number; etag: string }; answer: null }
  parts: { ask: { id: string }; answer: { partNumber: number; etag: string }[] }
  finish: { ask: { id: string }; answer: FileRef }
  find: { ask: { id: string }; answer: FileRef | null }
  list: { ask: { owner?: string | null; limit?: number; cursor?: string }; answer: FilePage }
  sign: { ask: { id: string; ttlSeconds: number; isDownload: boolean }; answer: string }
  verify: { ask: { id: string; query: string }; answer: { file: FileRef; isDownload: boolean } | null }
  /** From here on nobody sees it; its bytes are the caller's to remove, who says `gone` afterwards. */
  remove: { ask: { id: string }; answer: string | null }
  gone: { ask: { ids: string[] }; answer: null }
}

export type FilesAnswer<Kind extends keyof FilesCalls> =
  | { ok: true; value: FilesCalls[Kind]['answer'] }
  | { ok: false; error: Failure }

/** What the app's worker can ask of the object that keeps the list of files. */
export interface FilesBinding {
  files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']): Promise<FilesAnswer<Kind>>
}
