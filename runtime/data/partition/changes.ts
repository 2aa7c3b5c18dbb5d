import { type CollectionSpec, type Manifest } from '../../kernel/manifest.ts'
import type { RecordRow, StoredRecord } from '../frames.ts'
import { recordOf, type LogEntry, type PartitionStore } from './store.ts'

export interface RecordAddress {
  collection: string
  id: string
}

export interface WrittenRecord {
  row: RecordRow
  fields: Record<string, unknown>
}

export class TransactionChanges {
  readonly store: PartitionStore
  /** Every record that the transaction writes has this time. */
  readonly at: string
  readonly log: LogEntry[] = []
  /** Removed records in the order of their removal. */
  readonly removed: RecordAddress[] = []
  /** The references that this transaction set, which are checked at the end of the transaction. */
  readonly asked: { address: RecordAddress; field: string; target: string; id: string }[] = []
  /** The last state of each record written; null when it was removed. */
  readonly #states = new Map<string, WrittenRecord | null>()

  constructor(store: PartitionStore, at: string) {
    this.store = store
    this.at = at
  }

  put(collection: string, written: WrittenRecord): void {
    this.store.write(collection, written.row)
    this.log.push(this.store.append('put', collection, written.row, this.at))
    this.#states.set(recordKey({ collection, id: written.row.id }), written)
  }

  remove(collection: string, row: RecordRow): void {
    this.store.remove(collection, row.id)
    this.log.push(this.store.append('remove', collection, row, this.at))
    this.#states.set(recordKey({ collection, id: row.id }), null)
    this.removed.push({ collection, id: row.id })
  }

  /** Returns a record's fields as last written in this transaction; null when it was removed or not written. */
  fieldsAt(address: RecordAddress): Record<string, unknown> | null {
    return this.#states.get(recordKey(address))?.fields ?? null
  }

  /** Returns the record as it is after the whole transaction; null when it was removed. */
  recordAt(address: RecordAddress, manifest: Manifest): StoredRecord | null {
    const state = this.#states.get(recordKey(address)) ?? null
    const spec = manifest.collections[address.collection] as CollectionSpec
    return state === null ? null : recordOf(state.row, state.fields, spec)
  }
}

const recordKey = ({ collection, id }: RecordAddress): string => `${collection} ${id}`
