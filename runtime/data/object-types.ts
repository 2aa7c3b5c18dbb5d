import type { Actor, SessionToken } from '../kernel/access/actor.ts'
import type { Failure } from '../kernel/errors.ts'
import type { AddCall, AddResult } from './partition/add.ts'
import type { DataText, PartitionCall, RecordRow } from './frames.ts'
import type { Partition, RecordVectors } from './partition/partition.ts'
import type { Records } from './records.ts'
import type { LogEntry } from './partition/store.ts'
import type { RowPage, RowCursor, StoredRow } from './partition/transfer.ts'

export interface Methods {
  data<Call extends PartitionCall>(hash: string, actor: Actor, call: Call): Promise<DataText<Call>>
  /**
   * Like `data`, for the person of a session. Called on the person's own Durable Object, which stores both the session and the records.
   * Returns null when the session is not valid.
   */
  dataOf(hash: string, session: SessionToken, call: PartitionCall): Promise<DataText | null>
  addRecords(hash: string, call: AddCall): Promise<AddResult[] | Failure | null>
  readRows(collection: string, ids: string[]): Promise<RecordRow[]>
  holding(collection: string, ids: string[]): Promise<string[]>
  flush(): Promise<void>
  disown(userId: string): Promise<void>
  /** Returns the number of records from which `disown` would remove this person as the owner. */
  countOwned(userId: string): Promise<number>
  countRecords(): Promise<number>
  rows(after: RowCursor | null): Promise<RowPage>
  takeRows(rows: StoredRow[]): Promise<void>
}

declare module '../kernel/objects/part.ts' {
  interface PartContext {
    own: Partition
    appRecords: Records
    /** Finds the records that are closest in meaning. */
    vectors: RecordVectors
    /** Returns the caller with their current membership, when the partition is a team's. */
    actorHere(actor: Actor): Actor
    /** Called synchronously after records were written. */
    changed(log: readonly LogEntry[]): void
  }
  interface PartHooks {
    /** Called synchronously after records were written. */
    changed?(parts: PartContext, log: readonly LogEntry[]): void
  }
}
