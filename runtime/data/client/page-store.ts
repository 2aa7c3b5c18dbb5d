import { ApiError, fromFailure } from '../../kernel/errors.ts'
import { manifest } from '../../manifest.gen.ts'
import { callRoute } from '../../web/api.ts'
import type { FrameDown, LogOp, MutateResult, RawPage, RawQuery, StoredRecord, WriteOp } from '../frames.ts'
import { Link, type LinkStatus } from './link.ts'
import { LiveQuery, type QueryHost } from './live-query.ts'
import { newId, type PendingMutation } from './pending.ts'

const LINGER_MS = 30_000
const BASE = '/_app/data'

/** What a page knows of one partition: its live queries, its unconfirmed changes and its socket. */
export class PageStore implements QueryHost {
  /** `app`, or `own`: that of the person who is signed in. */
  readonly #partition: 'app' | 'own'

  readonly #queries = new Map<string, LiveQuery>()
  #pending: PendingMutation[] = []
  #link: Link | null = null
  #status: LinkStatus = 'connecting'
  /** The log position up to which this page has seen everything. */
  #cursor: number | null = null
  /** The position from which the log was followed without a gap. */
  #coveredFrom = 0

  constructor(partition: 'app' | 'own' = 'app') {
    this.#partition = partition
  }

  /** Forgets what was read as somebody else, and reads it again. */
  restart(): void {
    this.#link?.close()
    this.#link = null
    this.#setStatus('connecting')
    this.#cursor = null
    this.#coveredFrom = 0
    for (const query of this.#queries.values()) query.restart()
  }

  list(collection: string, query: RawQuery): Promise<RawPage> {
    const { where, sort, limit, cursor } = query
    const params = new URLSearchParams()
    if (where !== undefined) params.set('where', JSON.stringify(where))
    if (sort !== undefined) params.set('sort', sort)
    if (limit !== undefined) params.set('limit', String(limit))
    if (cursor !== undefined && cursor !== null) params.set('cursor', cursor)
    return callRoute('GET', `${BASE}/${collection}?${params}`)
  }

  get(collection: string, id: string): Promise<StoredRecord> {
    return callRoute('GET', `${BASE}/${collection}/${encodeURIComponent(id)}`)
  }

  search(collection: string, q: string): Promise<StoredRecord[]> {
    return callRoute('GET', `${BASE}/search?${new URLSearchParams({ collection, q })}`)
  }

  /** Returns the shared live query for these arguments; it is kept for a while after its last reader left. */
  query(collection: string, raw: RawQuery): LiveQuery {
    const key = `${collection} ${JSON.stringify(raw)}`
    const known = this.#queries.get(key)
    if (known !== undefined) return known
    const query = new LiveQuery(this, collection, raw)
    this.#queries.set(key, query)
    this.#dropLater(key, query)
    return query
  }

  /** Shows the change at once; the promise settles with the object's result. */
  mutate(op: WriteOp): Promise<MutateResult> {
    return new Promise((resolve, reject) => {
      const mutation: PendingMutation = {
        mutationId: newId(),
        op: { ...op, id: op.id ?? newId() },
        at: new Date().toISOString(),
        resolve,
        reject,
      }
      this.#pending = [...this.#pending, mutation]
      this.#refresh()
      this.#send(mutation)
    })
  }

  pending(): readonly PendingMutation[] {
    return this.#pending
  }

  isStale(): boolean {
    return this.#status === 'stale'
  }

  loaded(query: LiveQuery): void {
    const seq = query.seq ?? 0
    if (this.#link === null) {
      this.#cursor = seq
      this.#coveredFrom = seq
      this.#link = new Link({
        url: () => this.#socketUrl(),
        onFrame: (frame) => this.#receive(frame),
        onStatus: (status) => this.#setStatus(status),
      })
    } else if (seq < this.#coveredFrom) query.load()
  }

  #socketUrl(): string {
    const kind = this.#partition === 'own' ? 'user' : 'app'
    const readable = Object.entries(manifest.collections).filter(
      ([, spec]) => spec.partition === kind && spec.read !== 'nobody',
    )
    const params = new URLSearchParams({
      data: readable.map(([name]) => name).join(','),
      partition: this.#partition,
      after: String(this.#cursor ?? 0),
    })
    return `${location.origin.replace(/^http/, 'ws')}${BASE}/socket?${params}`
  }

  #receive(frame: FrameDown): void {
    switch (frame.type) {
      case 'ops':
        this.#cursor = frame.ops.at(-1)?.seq ?? this.#cursor
        return this.#apply(frame.ops)
      case 'hello':
        this.#cursor = frame.seq
        for (const mutation of this.#pending) this.#link?.send(frameOf(mutation))
        for (const query of this.#queries.values()) if (query.hasFailed) query.load()
        return
      case 'reset':
        this.#cursor = frame.seq
        this.#coveredFrom = frame.seq
        for (const query of this.#queries.values()) query.load()
        return
      case 'ack':
        return this.#confirm(frame.mutationId, frame)
      case 'nack':
        return this.#refuse(frame.mutationId, fromFailure(frame))
    }
  }

  #send(mutation: PendingMutation): void {
    if (this.#status === 'live') return this.#link?.send(frameOf(mutation))
    const { mutationId, ops } = frameOf(mutation)
    callRoute<MutateResult>('POST', `${BASE}/mutate`, { mutationId, ops })
      .then((result) => this.#confirm(mutationId, result))
      .catch((error: unknown) => {
        // No connection: the change stays pending and is sent with the next `hello`, under the same id.
        const isUnreached = error instanceof ApiError && error.code === 'unavailable' && this.#link !== null
        if (!isUnreached) this.#refuse(mutationId, error)
      })
  }

  #confirm(mutationId: string, { seq, records }: MutateResult): void {
    const mutation = this.#settle(mutationId)
    if (mutation === undefined) return
    const { collection, id } = mutation.op
    const record = records[0] ?? undefined
    this.#apply([
      record === undefined
        ? { seq, op: 'remove', collection, id }
        : { seq, op: 'put', collection, id, record },
    ])
    this.#refresh()
    mutation.resolve({ seq, records })
  }

  #refuse(mutationId: string, error: unknown): void {
    const mutation = this.#settle(mutationId)
    this.#refresh()
    mutation?.reject(error)
  }

  #settle(mutationId: string): PendingMutation | undefined {
    const mutation = this.#pending.find((candidate) => candidate.mutationId === mutationId)
    this.#pending = this.#pending.filter((candidate) => candidate !== mutation)
    return mutation
  }

  #apply(ops: LogOp[]): void {
    for (const query of this.#queries.values()) query.apply(ops)
  }

  #refresh(): void {
    for (const query of this.#queries.values()) query.refresh()
  }

  #setStatus(status: LinkStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#refresh()
    for (const listener of statusListeners) listener()
  }

  #dropLater(key: string, query: LiveQuery): void {
    setTimeout(() => {
      if (query.isWatched) this.#dropLater(key, query)
      else this.#queries.delete(key)
    }, LINGER_MS)
  }
}

const frameOf = ({ mutationId, op }: PendingMutation) => ({ type: 'mutate' as const, mutationId, ops: [op] })

const stores: { app?: PageStore; own?: PageStore } = {}

/**
 * The store of a collection on this page: that of the app, or of the person who is signed in. Created on first use, so
 * that importing the module has no effect.
 */
export function pageStore(collection: string): PageStore {
  const partition = manifest.collections[collection]?.partition === 'user' ? 'own' : 'app'
  return (stores[partition] ??= new PageStore(partition))
}

const statusListeners = new Set<() => void>()

/** Calls back whenever the page loses or regains a connection; returns the function that ends it. */
export function onStatus(listener: () => void): () => void {
  statusListeners.add(listener)
  return () => statusListeners.delete(listener)
}

/** Whether any data of this page is older than its connection. */
export const isAnyStale = (): boolean => Object.values(stores).some((store) => store.isStale())

/** Reads everything again: somebody else is signed in now. */
export function reconnectStores(): void {
  for (const store of Object.values(stores)) store.restart()
}
