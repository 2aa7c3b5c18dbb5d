import type { Failure } from '../kernel/errors.ts'
import type { Manifest } from '../kernel/manifest.ts'

/** A record as it is stored and sent, before the generated types are put over it. */
export interface StoredRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}

/** A record without its system fields, next to them: the shape of one row. */
export interface Row {
  id: string
  owner: string | null
  rev: number
  created_at: string
  updated_at: string
  json: string
}

/** What happened to one record of a partition, as the directory is told; no row = it was removed. */
export interface BatchOp {
  seq: number
  at: string
  collection: string
  id: string
  row: Row | null
  /** The row holds only the fields that are listed and searched by. */
  isPartial: boolean
}

/** Everything a partition's log has up to `to`, the last word on each record. */
export interface Batch {
  to: number
  ops: BatchOp[]
}

export type WriteOp =
  | { op: 'create'; collection: string; id?: string | undefined; fields: Record<string, unknown> }
  | {
      op: 'update'
      collection: string
      id: string
      fields: Record<string, unknown>
      rev?: number | undefined
    }
  | { op: 'remove'; collection: string; id: string }

/** One line of the log, as sockets and clients see it. */
export interface LogOp {
  seq: number
  op: 'put' | 'remove'
  collection: string
  id: string
  record?: StoredRecord | undefined
}

export type FrameDown =
  | { type: 'hello'; seq: number; user: null }
  | { type: 'ops'; ops: LogOp[] }
  | { type: 'reset'; seq: number }
  | { type: 'ack'; mutationId: string; seq: number; records: (StoredRecord | null)[] }
  | ({ type: 'nack'; mutationId: string; record?: StoredRecord | null } & Failure)

export interface FrameUp {
  type: 'mutate'
  mutationId: string
  ops: WriteOp[]
}

export interface RawQuery {
  where?: Record<string, unknown> | undefined
  sort?: string | undefined
  limit?: number | undefined
  cursor?: string | null | undefined
}

export interface RawPage {
  items: StoredRecord[]
  nextCursor: string | null
  /** The log position the answer was read at: later operations apply on top of it. */
  seq: number
}

/** Who calls: a browser without a session, or the app's own server code. */
export type Actor = 'anonymous' | 'system'

export type DataCall =
  | { kind: 'get'; collection: string; id: string }
  | { kind: 'list'; collection: string; query: RawQuery }
  | { kind: 'mutate'; mutationId: string; ops: WriteOp[] }
  /** Like `mutate`, from code of the app, which does not send a write twice. */
  | { kind: 'write'; ops: WriteOp[] }
  /** Answered by the directory, in the order of how well the records match. */
  | { kind: 'search'; collection: string; q: string }

export interface MutateResult {
  seq: number
  records: (StoredRecord | null)[]
}

/** An answer by value: `unprepared` asks the caller to send its manifest first. */
export type DataAnswer =
  | { ok: true; value: StoredRecord | StoredRecord[] | RawPage | MutateResult }
  | { ok: false; error: Failure }
  | { ok: false; unprepared: true }

/** A `DataAnswer` as JSON: one text crosses three workers faster than the records in it. */
export type DataText = string

/** The methods a code worker has on its `LIVE` binding; they are only ever added, never changed. */
export interface LiveBinding {
  prepare(hash: string, manifest: Manifest): Promise<void>
  data(hash: string, actor: Actor, call: DataCall): Promise<DataText>
  fetch(request: Request): Promise<Response>
}
