import type { Caller } from '../kernel/access/actor.ts'
import type { PreparedResult } from '../kernel/objects/calls.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonText } from '../kernel/json-text.ts'

/** A record as it is stored and sent, without the generated types. */
export interface StoredRecord {
  id: string
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}

/** A table row. `json` contains the record's fields except the system fields. */
export interface RecordRow {
  id: string
  owner: string | null
  rev: number
  created_at: string
  updated_at: string
  json: JsonText<Record<string, unknown>>
}

/**
 * An operation that a partition sends to the directory, the read model of all partitions. `row` is null when
 * the record was removed.
 */
export interface BatchOp {
  seq: number
  at: string
  collection: string
  id: string
  row: RecordRow | null
  /** True when the row contains only the fields that lists and search need. */
  isPartial: boolean
}

/** A partition's log up to `to`, with only the last operation per record. */
export interface Batch {
  to: number
  ops: BatchOp[]
  /** The ids of the migrations that the partition has applied. Absent when there are none. */
  migrations?: JsonText<string[]>
}

/**
 * One operation of a write. Either all operations of a write are stored or none. With `rev`, an update fails when the record has changed
 * since that revision.
 */
export type WriteOp =
  | {
      op: 'create'
      collection: string
      id?: string | undefined
      fields: Record<string, unknown>
      /** The record's owner. Only the app's server code may set it. */
      owner?: string | undefined
    }
  | {
      op: 'update'
      collection: string
      id: string
      fields: Record<string, unknown>
      rev?: number | undefined
    }
  /** Updates the record whose unique field `by` has this value, or creates a record. */
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

/** `mutationId` is what the page sent, which may be anything when the write is refused. */
export type ServerFrame =
  | { type: 'hello'; seq: number; user: string | null }
  | { type: 'ops'; ops: LogOp[] }
  | { type: 'reset'; seq: number }
  /** The session of this socket has changed, so the page must reconnect. This is the last frame. */
  | { type: 'ended' }
  | { type: 'ack'; mutationId: unknown; seq: number; records: (StoredRecord | null)[] }
  | ({ type: 'nack'; mutationId: unknown; record?: StoredRecord | null } & Failure)

/** A frame from a live room, which may share the socket of a partition. The folder `live` declares its other fields. */
export interface RoomFrame {
  type: 'room' | 'peers' | 'messages' | 'state' | 'forget' | 'rtc' | 'call' | 'refused'
}

/** A write as a page sends it. */
export interface ClientFrame {
  type: 'mutate'
  mutationId: string
  ops: WriteOp[]
}

/** A query as sent by a page or app code, not validated. `parseQuery` validates it against the collection. */
export interface RawQuery {
  where?: Record<string, unknown> | undefined
  sort?: string | undefined
  limit?: number | undefined
  cursor?: string | null | undefined
}

/** Without `partition` the query covers all partitions. */
export interface OperatorQuery extends RawQuery {
  partition?: string | undefined
}

export interface RawPage {
  items: StoredRecord[]
  nextCursor: string | null
  /** The log position at which the result was read. Later operations apply on top of it. */
  seq: number
}

/**
 * The calls that read and write records, with the input and the result of each. Values come from pages and from server code, which may pass
 * on a field of a request: the partition validates them.
 */
export interface DataCalls {
  get: { ask: { collection: string; id: unknown }; answer: StoredRecord }
  list: { ask: { collection: string; query: RawQuery }; answer: RawPage }
  count: { ask: { collection: string; where: Record<string, unknown> }; answer: number }
  mutate: { ask: { mutationId: unknown; ops: unknown }; answer: MutateResult }
  /** Like `mutate`, but from the app's server code, which never repeats a write and so needs no id. */
  write: { ask: { ops: WriteOp[] }; answer: MutateResult }
  /** Finds the records closest in meaning to a record, or to a text with this vector. */
  similar: {
    ask: { collection: string; to: { id: string } | { vector: number[] }; limit: number }
    answer: SimilarRecord[]
  }
  /** Full-text search in the directory, best match first. */
  search: { ask: { collection: string; q: string }; answer: StoredRecord[] }
}

export type DataCall<Kind extends keyof DataCalls = keyof DataCalls> = {
  [One in Kind]: DataCalls[One]['ask'] & {
    kind: One
    /** Absent for the app's partition. `own` is the partition of the person who is signed in. */
    partition?: string | undefined
  }
}[Kind]

/** A call to one partition. A search is none, because the directory searches. */
export type PartitionCall = DataCall<Exclude<keyof DataCalls, 'search'>>

/** A `score` of 1 means the same meaning. */
export interface SimilarRecord {
  record: StoredRecord
  score: number
}

export interface MutateResult {
  seq: number
  records: (StoredRecord | null)[]
}

export type DataResult<Call extends DataCall> = DataCalls[Call['kind']]['answer']

/**
 * The result of a call as JSON text. It passes through three workers, and a string is copied faster than an object tree.
 */
export type DataText<Call extends DataCall = DataCall> = JsonText<PreparedResult<DataResult<Call>>>

export interface DataBinding {
  data<Call extends DataCall>(hash: string, caller: Caller, call: Call): Promise<DataText<Call>>
}
