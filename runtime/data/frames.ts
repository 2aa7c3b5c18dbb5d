import type { Caller } from '../kernel/actor.ts'
import type { PreparedResult } from '../kernel/calls.ts'
import type { Failure } from '../kernel/errors.ts'
import type { Manifest } from '../kernel/manifest.ts'

/** As it is stored and sent, without the generated types. */
export interface StoredRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}

/** `json` holds the fields of the record that are not system fields. */
export interface Row {
  id: string
  owner: string | null
  rev: number
  created_at: string
  updated_at: string
  json: string
}

/** Sent to the directory. `row` null: the record was removed. */
export interface BatchOp {
  seq: number
  at: string
  collection: string
  id: string
  row: Row | null
  /** The row holds only the fields needed to list and search. */
  isPartial: boolean
}

/** A partition's log up to `to`, with only the last operation per record. */
export interface Batch {
  to: number
  ops: BatchOp[]
  /** The migrations that the partition has applied, as it stores them. Absent when there are none. */
  migrations?: string
}

/**
 * One change of a write; all changes of a write are stored or none. With `rev` an update is refused when the
 * record has changed since that revision.
 */
export type WriteOp =
  | {
      op: 'create'
      collection: string
      id?: string | undefined
      fields: Record<string, unknown>
      /** The owner of the record. Accepted only from the app itself. */
      owner?: string | undefined
    }
  | {
      op: 'update'
      collection: string
      id: string
      fields: Record<string, unknown>
      rev?: number | undefined
    }
  /** Changes the record that has this value of the unique field `by`, or creates it. */
  | {
      op: 'upsert'
      collection: string
      id?: string | undefined
      by: string
      fields: Record<string, unknown>
    }
  | { op: 'remove'; collection: string; id: string; rev?: number | undefined }

export interface LogOp {
  seq: number
  op: 'put' | 'remove'
  collection: string
  id: string
  record?: StoredRecord | undefined
}

export type FrameDown =
  | { type: 'hello'; seq: number; user: string | null }
  | { type: 'ops'; ops: LogOp[] }
  | { type: 'reset'; seq: number }
  /** The session of this socket has changed: connect again, with the rights of now. No frame follows. */
  | { type: 'ended' }
  | { type: 'ack'; mutationId: string; seq: number; records: (StoredRecord | null)[] }
  | ({ type: 'nack'; mutationId: string; record?: StoredRecord | null } & Failure)

export interface FrameUp {
  type: 'mutate'
  mutationId: string
  ops: WriteOp[]
}

/**
 * A query as it arrives from a page or app code, unchecked; `parseQuery` checks it against the collection.
 */
export interface RawQuery {
  where?: Record<string, unknown> | undefined
  sort?: string | undefined
  limit?: number | undefined
  cursor?: string | null | undefined
}

export interface RawPage {
  items: StoredRecord[]
  nextCursor: string | null
  /** The log position at which the result was read; later operations apply on top of it. */
  seq: number
}

export type DataCall = DataQuestion & {
  /** The partition that is meant; `own`: that of the person who is signed in. Without it that of the app. */
  partition?: string | undefined
}

type DataQuestion =
  | { kind: 'get'; collection: string; id: string }
  | { kind: 'list'; collection: string; query: RawQuery }
  | { kind: 'count'; collection: string; where: Record<string, unknown> }
  | { kind: 'mutate'; mutationId: string; ops: WriteOp[] }
  /** Like `mutate`, from the app's server code, which does not repeat a write. */
  | { kind: 'write'; ops: WriteOp[] }
  /** The records that mean the closest to one of them, or to a text whose vector this is. */
  | { kind: 'similar'; collection: string; to: { id: string } | { vector: number[] }; limit: number }
  /** Served by the directory, best match first. */
  | { kind: 'search'; collection: string; q: string }

/** `score` 1 means the same. */
export interface SimilarRecord {
  record: StoredRecord
  score: number
}

export interface MutateResult {
  seq: number
  records: (StoredRecord | null)[]
}

export type DataAnswer = PreparedResult<
  StoredRecord | StoredRecord[] | SimilarRecord[] | RawPage | MutateResult | number
>

/** A `DataAnswer` as JSON: one text crosses three workers faster than the records in it. */
export type DataText = string

/**
 * The methods of a code worker's `LIVE` binding. Add methods, never change them: older releases call them.
 */
export interface LiveBinding {
  prepare(hash: string, manifest: Manifest): Promise<void>
  data(hash: string, caller: Caller, call: DataCall): Promise<DataText>
  fetch(request: Request): Promise<Response>
}
