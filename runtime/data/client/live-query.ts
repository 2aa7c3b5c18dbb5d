import { fromFailure, type ApiError } from '../../kernel/errors.ts'
import { manifest } from '../../manifest.gen.ts'
import { applyFieldChange } from '../fields.ts'
import type { LogOp, MutateResult, RawPage, RawQuery, StoredRecord, WriteOp } from '../frames.ts'
import { compareRecords, matchesQuery } from '../match.ts'
import { parseQuery, type ParsedQuery } from '../query.ts'
import { fieldsOf } from '../../kernel/fields.ts'

/**
 * The pause before a failed first read is repeated. The WebSocket is opened only after the first read, and later reads are retried when the
 * WebSocket reconnects.
 */
const RETRY_MS = 3000
const PAGE_MAX = 200

export type QueryStatus = 'loading' | 'live' | 'stale'

export interface QuerySnapshot {
  rows: StoredRecord[]
  status: QueryStatus
  error: ApiError | null
  /** Loads the next page; null once all rows are loaded. */
  more: (() => void) | null
}

export interface QueryHost {
  list(collection: string, query: RawQuery): Promise<RawPage>
  pending(): readonly PendingMutation[]
  isStale(): boolean
  /** Called after a list was read. `query.seq` is the log position of that read. */
  loaded(query: LiveQuery): void
}

export const LOADING_SNAPSHOT: QuerySnapshot = { rows: [], status: 'loading', error: null, more: null }

/** A live list: the rows as they were read, plus every later operation from the log. */
export class LiveQuery {
  readonly collection: string
  /** The log position of the first page; null until the page is read. */
  seq: number | null = null
  readonly #rawQuery: RawQuery
  readonly #parsedQuery: ParsedQuery | null
  readonly #host: QueryHost
  readonly #listeners = new Set<() => void>()
  #rows = new Map<string, StoredRecord>()
  /** The log position of each record's last operation, so that no operation is applied twice or out of order. */
  #lastSeqs = new Map<string, number>()
  /** The operations that arrived since a read began: the result of the read may not include them. Null while no read runs. */
  #opsSinceRead: LogOp[] | null = null
  #nextCursor: string | null = null
  #error: ApiError | null = null
  /** The error of the last attempt to load the next page. */
  #pageError: ApiError | null = null
  #snapshot: QuerySnapshot = LOADING_SNAPSHOT
  #loadCount = 0

  constructor(host: QueryHost, collection: string, raw: RawQuery) {
    this.#host = host
    this.collection = collection
    this.#rawQuery = raw
    const spec = manifest.collections[collection]
    try {
      this.#parsedQuery = parseQuery(
        spec ?? { title: '', partition: 'app', read: 'nobody', write: 'nobody', fields: {} },
        raw,
      )
    } catch (error) {
      this.#parsedQuery = null
      this.#setError(error)
    }
    if (this.#parsedQuery !== null) this.load()
  }

  /** Forgets all rows and reads them again with the rights of the person who is signed in now. */
  restart(): void {
    this.seq = null
    this.#rows = new Map()
    this.#lastSeqs = new Map()
    this.#opsSinceRead = null
    this.#nextCursor = null
    this.#error = null
    if (this.#parsedQuery === null) return
    this.#setSnapshot(LOADING_SNAPSHOT)
    this.load()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** True when the read should be retried after a reconnect. A read that was denied would only be denied again. */
  get hasFailed(): boolean {
    return this.#error?.code === 'unavailable' || this.#error?.code === 'server_error'
  }

  snapshot(): QuerySnapshot {
    return this.#snapshot
  }

  /** Reads the loaded pages again. The current rows stay until all of them have arrived. */
  load(): void {
    const round = ++this.#loadCount
    this.#opsSinceRead ??= []
    this.#readRows(round)
      .then((page) => round === this.#loadCount && this.#replaceRows(page))
      .catch((error: unknown) => {
        if (round !== this.#loadCount) return
        this.#opsSinceRead = null
        this.#setError(error)
      })
  }

  /** Reads as many rows as were loaded, with several requests if needed. Changes between the requests arrive as operations of the log. */
  async #readRows(round: number): Promise<RawPage> {
    if (this.#rows.size === 0) return await this.#host.list(this.collection, this.#rawQuery)
    const wanted = Math.max(this.#pageLimit, this.#rows.size)
    const upTo = (limit: number) => ({ ...this.#rawQuery, limit: Math.min(PAGE_MAX, limit) })
    const first = await this.#host.list(this.collection, upTo(wanted))
    const items = [...first.items]
    let cursor = first.nextCursor
    while (cursor !== null && items.length < wanted && round === this.#loadCount) {
      const page = await this.#host.list(this.collection, { ...upTo(wanted - items.length), cursor })
      items.push(...page.items)
      cursor = page.nextCursor
    }
    return { items, seq: first.seq, nextCursor: cursor }
  }

  get #pageLimit(): number {
    return this.#parsedQuery?.limit ?? 0
  }

  apply(ops: LogOp[]): void {
    const own = ops.filter((op) => op.collection === this.collection)
    if (own.length === 0) return
    this.#opsSinceRead?.push(...own)
    if (this.seq === null) return
    for (const op of own) this.#applyLogOp(op)
    this.refresh()
  }

  /** Recomputes the rows after an operation, a pending change, or a change of the connection state. */
  refresh(): void {
    const parsed = this.#parsedQuery
    if (this.seq === null || parsed === null) return
    const rows = [...overlay(this.#rows, this.collection, this.#host.pending()).values()]
    const shown = rows
      .filter((row) => matchesQuery(row, parsed))
      .sort((a, b) => compareRecords(a, b, parsed.sort))
    this.#setSnapshot({
      rows: shown,
      status: this.#host.isStale() ? 'stale' : 'live',
      error: this.#error,
      more: this.#nextCursor === null ? null : () => this.#loadMore(),
    })
  }

  #replaceRows(page: RawPage): void {
    this.seq = page.seq
    this.#error = null
    this.#nextCursor = page.nextCursor
    this.#rows = new Map(page.items.map((item) => [item.id, item]))
    this.#lastSeqs = new Map()
    const ops = this.#opsSinceRead ?? []
    this.#opsSinceRead = null
    for (const op of ops) this.#applyLogOp(op)
    this.#host.loaded(this)
    this.refresh()
  }

  #applyLogOp(op: LogOp): void {
    const parsed = this.#parsedQuery
    if (parsed === null || op.seq <= Math.max(this.seq ?? 0, this.#lastSeqs.get(op.id) ?? 0)) return
    this.#lastSeqs.set(op.id, op.seq)
    const { record } = op
    if (record !== undefined && matchesQuery(record, parsed) && this.#isInWindow(record, parsed)) {
      this.#rows.set(op.id, record)
      return
    }
    if (this.#nextCursor === null) return void this.#rows.delete(op.id)
    const isLast = this.#lastRow(parsed)?.id === op.id
    const wasShown = this.#rows.delete(op.id)
    // Reload the page when it has too few rows, because the row that moves up is not known here. Also reload it when its last row was
    // removed: a row that is created between the new last row and the cursor of the next page would be in neither page.
    if (wasShown && (isLast || this.#rows.size < this.#pageLimit)) this.load()
  }

  #lastRow(parsed: ParsedQuery): StoredRecord | undefined {
    return [...this.#rows.values()].sort((a, b) => compareRecords(a, b, parsed.sort)).at(-1)
  }

  /** Returns false for a row behind the last loaded one: it belongs to a page that has not been loaded. */
  #isInWindow(record: StoredRecord, parsed: ParsedQuery): boolean {
    if (this.#nextCursor === null || this.#rows.has(record.id)) return true
    const last = this.#lastRow(parsed)
    return last === undefined || compareRecords(record, last, parsed.sort) < 0
  }

  #loadMore(): void {
    const cursor = this.#nextCursor
    if (cursor === null) return
    const round = this.#loadCount
    this.#host
      .list(this.collection, { ...this.#rawQuery, cursor })
      .then((page) => {
        if (round !== this.#loadCount || cursor !== this.#nextCursor) return
        for (const item of page.items) this.#addFromPage(item, page.seq)
        this.#nextCursor = page.nextCursor
        if (this.#error === this.#pageError) this.#error = null
        this.refresh()
      })
      .catch((error: unknown) => {
        if (round !== this.#loadCount) return
        this.#setError(error)
        this.#pageError = this.#error
      })
  }

  #addFromPage(item: StoredRecord, seq: number): void {
    if ((this.#lastSeqs.get(item.id) ?? 0) <= seq) this.#rows.set(item.id, item)
    // The log had a newer state of this record, which was dropped because the record was not in the list then.
    // Read the list again to get that state.
    else if (!this.#rows.has(item.id)) this.load()
  }

  #setError(error: unknown): void {
    this.#error = fromFailure(fieldsOf(error))
    this.#setSnapshot({
      ...this.#snapshot,
      status: this.seq === null ? 'loading' : 'stale',
      error: this.#error,
    })
    if (this.seq === null && this.hasFailed) setTimeout(() => this.isWatched && this.load(), RETRY_MS)
  }

  #setSnapshot(snapshot: QuerySnapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}

type PendingOp = WriteOp & { id: string }

/** A change by this page that the server has not confirmed yet. */
export interface PendingMutation {
  mutationId: string
  ops: PendingOp[]
  at: string
  resolve(result: MutateResult): void
  reject(error: unknown): void
}

/** Returns the rows with all pending changes applied. */
function overlay(
  base: ReadonlyMap<string, StoredRecord>,
  collection: string,
  pending: readonly PendingMutation[],
): ReadonlyMap<string, StoredRecord> {
  const own = pending.flatMap(({ ops, at }) =>
    ops.filter((op) => op.collection === collection).map((op) => ({ op, at })),
  )
  if (own.length === 0) return base
  const rows = new Map(base)
  for (const { op, at } of own) applyOp(rows, op, at)
  return rows
}

function applyOp(rows: Map<string, StoredRecord>, op: PendingOp, at: string): void {
  if (op.op === 'remove') {
    rows.delete(op.id)
    return
  }
  const current = op.op === 'upsert' ? holderOf(rows, op) : rows.get(op.id)
  if (op.op === 'create' || (op.op === 'upsert' && current === undefined))
    rows.set(op.id, draftRecord(op, at))
  else if (current !== undefined) rows.set(current.id, { ...current, ...patchOf(op, current), updatedAt: at })
}

/** Returns the record that an upsert will change, as far as this page knows. */
const holderOf = (
  rows: ReadonlyMap<string, StoredRecord>,
  { by, fields }: Extract<PendingOp, { op: 'upsert' }>,
): StoredRecord | undefined => [...rows.values()].find((row) => row[by] === fields[by])

const specsOf = (collection: string) => manifest.collections[collection]?.fields ?? {}

function patchOf(op: Extract<PendingOp, { fields: object }>, current: StoredRecord): Record<string, unknown> {
  const specs = specsOf(op.collection)
  return Object.fromEntries(
    Object.entries(op.fields).map(([name, value]) => {
      const spec = specs[name]
      return [name, spec === undefined ? value : applyFieldChange(spec, current[name], value)]
    }),
  )
}

function draftRecord(op: Extract<PendingOp, { fields: object }>, at: string): StoredRecord {
  const specs = Object.entries(specsOf(op.collection))
  const fields = Object.fromEntries(
    specs.map(([name, spec]) => [
      name,
      applyFieldChange(spec, spec.default, op.fields[name]) ?? spec.default ?? null,
    ]),
  )
  // The Durable Object numbers revisions from 1, so revision 0 marks a row that exists only on this page.
  return { id: op.id, ...fields, ownerId: null, rev: 0, createdAt: at, updatedAt: at }
}
