import type { ObjectState } from 'cloudflare:workers'
import { isIndexed, type CollectionSpec } from '../../kernel/manifest.ts'
import type { Batch, BatchOp } from '../frames.ts'
import type { LogEntry, PartitionStore } from './store.ts'

const COALESCE_MS = 50
const BATCH_OPS = 200
/** The directory stores records up to this size completely, and larger records in part. */
const WHOLE_RECORD_CHARS_MAX = 8 * 1024
/** How many characters at the beginning of each text the directory can search in a larger record. */
const SCANNED_CHARS_MAX = 2000
/** An alarm checks for unsent writes after this time, in case the Durable Object stopped right after a write. */
const SAFETY_ALARM_MS = 5_000
const RETRY_MS = 2_000
const RETRY_MAX_MS = 300_000

export interface OutboxDeps {
  ctx: Pick<ObjectState, 'waitUntil'>
  setAlarm: (atMs: number) => void
  store: PartitionStore
  /** Sends a batch to the directory, which must accept the same batch twice. */
  send: (batch: Batch) => Promise<void>
  report: (error: unknown) => void
}

/**
 * Sends a partition's log to the directory: in order, one batch at a time, soon after each write. The log itself is the outbox, so every
 * acknowledged write reaches the directory.
 */
export class Outbox {
  readonly #parts: OutboxDeps
  #runningFlush: Promise<void> | null = null
  #isFlushRequested = false
  #alarmAt = 0
  #failures = 0

  constructor(parts: OutboxDeps) {
    this.#parts = parts
    // The Durable Object stopped before it could send these entries.
    if (parts.store.head() > parts.store.acked) this.requestFlush()
  }

  /**
   * Schedules a flush, and an alarm in case the object stops before the flush. Must be called synchronously with the write, so that the
   * alarm is stored in the same transaction.
   */
  requestFlush(): void {
    this.#wakeAt(Date.now() + SAFETY_ALARM_MS)
    if (this.#isFlushRequested) return
    this.#isFlushRequested = true
    setTimeout(() => {
      this.#isFlushRequested = false
      this.#parts.ctx.waitUntil(this.flush())
    }, COALESCE_MS)
  }

  /** Resolves once the directory has everything written so far, or a request to it has failed. */
  async flush(): Promise<void> {
    // A batch already in flight may not include the caller's write, so wait for it and send again.
    await this.#runningFlush
    this.#runningFlush ??= this.#sendBatches().finally(() => {
      this.#runningFlush = null
    })
    await this.#runningFlush
  }

  async wake(): Promise<void> {
    this.#alarmAt = 0
    await this.flush()
  }

  async #sendBatches(): Promise<void> {
    try {
      for (;;) {
        const batch = this.#nextBatch()
        if (batch === null) break
        await this.#parts.send(batch)
        this.#parts.store.acked = batch.to
      }
      this.#failures = 0
    } catch (error) {
      this.#parts.report(error)
      this.#wakeAt(Date.now() + Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** this.#failures++))
    }
  }

  #nextBatch(): Batch | null {
    const entries = this.#parts.store.unsent(BATCH_OPS)
    const last = entries.at(-1)
    if (last === undefined) return null
    // Send only the last operation of each record.
    const latest = new Map(entries.map((entry) => [`${entry.collection} ${entry.id}`, entry]))
    const specOf = (name: string) => this.#parts.store.latestManifest()?.collections[name]
    const migrations = this.#parts.store.meta('migrations')
    return {
      to: last.seq,
      ops: [...latest.values()].map((entry) => toOp(entry, specOf)),
      ...(migrations !== null && { migrations }),
    }
  }

  #wakeAt(at: number): void {
    if (this.#alarmAt > Date.now()) return
    this.#alarmAt = at
    this.#parts.setAlarm(at)
  }
}

function toOp(
  entry: LogEntry & { at: string },
  specOf: (collection: string) => CollectionSpec | undefined,
): BatchOp {
  const { seq, at, collection, id, row } = entry
  if (row === null || row.json.length <= WHOLE_RECORD_CHARS_MAX)
    return { seq, at, collection, id, row, isPartial: false }
  const specs = specOf(collection)?.fields ?? {}
  // When no field of a collection has `search`, the directory searches all of its text and enum fields.
  const isScanned = !Object.values(specs).some(({ search }) => search)
  const listed = Object.entries(JSON.parse(row.json)).flatMap(([name, value]) => {
    const spec = specs[name]
    if (spec !== undefined && (isIndexed(spec) || spec.search)) return [[name, value]]
    const isText = spec?.type === 'text' || spec?.type === 'enum'
    return isScanned && isText ? [[name, String(value ?? '').slice(0, SCANNED_CHARS_MAX)]] : []
  })
  return {
    seq,
    at,
    collection,
    id,
    row: { ...row, json: JSON.stringify(Object.fromEntries(listed)) },
    isPartial: true,
  }
}
