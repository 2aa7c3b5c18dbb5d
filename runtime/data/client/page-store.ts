import { ApiError, fromFailure, signedOutEarly } from '../../kernel/errors.ts'
import { isTeamId } from '../../kernel/access/actor.ts'
import { manifest } from '../../manifest.gen.ts'
import { callRoute } from '../../web/api.ts'
import { newId } from '../id.ts'
import type {
  ServerFrame,
  ClientFrame,
  LogOp,
  MutateResult,
  RawPage,
  RawQuery,
  RoomFrame,
  StoredRecord,
  WriteOp,
} from '../frames.ts'
import { ReconnectingSocket, type SocketStatus } from './reconnecting-socket.ts'
import { LiveQuery, type PendingMutation, type QueryHost } from './live-query.ts'

/** A callback for possible changes to the records of `collections`. */
interface CollectionFollower {
  collections: readonly string[]
  onChange: () => void
}

/** A live room that uses the socket of a page store. */
export interface SharedRoom {
  path: string
  /** Returns the number of the last message received, so that only later messages are requested. */
  since(): number
  receive(frame: RoomFrame): void
  lost(): void
}

const LINGER_MS = 30_000
const DATA_PATH = '/_app/data'

/** A page's copy of one partition: live queries, unconfirmed changes, and the socket. */
export class PageStore implements QueryHost {
  /** `app`, `own` (the partition of the person who is signed in), or the id of a team. */
  readonly #partition: string

  readonly #queries = new Map<string, LiveQuery>()
  #pending: PendingMutation[] = []
  #socket: ReconnectingSocket<ServerFrame | RoomFrame> | null = null
  #status: SocketStatus = 'connecting'
  /**
   * The log position of the last operation that this page has received over its socket; null before the
   * first.
   */
  #cursor: number | null = null
  /**
   * The log position from which on this page has received every operation. A list that was read at an earlier position may have missed
   * operations and is read again.
   */
  #coveredFrom = 0
  #room: SharedRoom | null = null
  readonly #followers = new Set<CollectionFollower>()

  constructor(partition = 'app') {
    this.#partition = partition
  }

  /** Rejects all changes that are not confirmed yet. Otherwise they would be sent in the name of the person who signs in next. */
  dropPending(): void {
    const error = signedOutEarly()
    for (const { mutationId } of this.#pending) this.#rejectMutation(mutationId, error)
  }

  /** Forgets all data and reads it again. Called when another person signs in, and when the person's rights have changed. */
  restart(): void {
    this.#socket?.close()
    this.#socket = null
    this.#setStatus('connecting')
    this.#cursor = null
    this.#coveredFrom = 0
    for (const query of this.#queries.values()) query.restart()
    this.#notifyFollowers(null)
    if (this.#room !== null || this.#followers.size > 0) this.#openSocket()
  }

  /**
   * Calls `onChange` when a record of `collections` was added, changed or removed, and after a gap in which a record may have changed.
   * Returns the function that unsubscribes.
   */
  follow(collections: readonly string[], onChange: () => void): () => void {
    const follower = { collections, onChange }
    this.#followers.add(follower)
    if (this.#socket === null) this.#openSocket()
    return () => this.#followers.delete(follower)
  }

  /** Notifies the followers of the changed collections; null means that any may have changed. */
  #notifyFollowers(changed: ReadonlySet<string> | null): void {
    for (const { collections, onChange } of this.#followers)
      if (changed === null || collections.some((name) => changed.has(name))) onChange()
  }

  /** Adds a room to the socket; null removes it. With `only`, does nothing unless the socket has the room `only`. */
  host(room: SharedRoom | null, only?: SharedRoom): void {
    if (only !== undefined && this.#room !== only) return
    this.#room = room
    this.#socket?.close()
    this.#socket = null
    if (room !== null || this.#queries.size > 0 || this.#followers.size > 0) this.#openSocket()
  }

  /** Sends a frame of the room that uses this socket. */
  send(frame: object): void {
    this.#socket?.send(frame)
  }

  #openSocket(): void {
    this.#socket = new ReconnectingSocket({
      url: () => this.#socketUrl(),
      onFrame: (frame) => this.#receiveFrame(frame),
      onStatus: (status) => {
        this.#setStatus(status)
        if (status === 'stale') this.#room?.lost()
      },
    })
  }

  list(collection: string, query: RawQuery): Promise<RawPage> {
    const { where, sort, limit, cursor } = query
    const params = new URLSearchParams()
    if (where !== undefined) params.set('where', JSON.stringify(where))
    if (sort !== undefined) params.set('sort', sort)
    if (limit !== undefined) params.set('limit', String(limit))
    if (cursor !== undefined && cursor !== null) params.set('cursor', cursor)
    return callRoute('GET', `${DATA_PATH}/${collection}?${this.#withPartition(params)}`)
  }

  get(collection: string, id: string): Promise<StoredRecord> {
    const query = this.#withPartition(new URLSearchParams()).toString()
    return callRoute('GET', `${DATA_PATH}/${collection}/${encodeURIComponent(id)}${query && `?${query}`}`)
  }

  count(collection: string, where: Record<string, unknown>): Promise<number> {
    const params = new URLSearchParams({ where: JSON.stringify(where) })
    return callRoute('GET', `${DATA_PATH}/${collection}/count?${this.#withPartition(params)}`)
  }

  search(collection: string, q: string): Promise<StoredRecord[]> {
    return callRoute(
      'GET',
      `${DATA_PATH}/search?${this.#withPartition(new URLSearchParams({ collection, q }))}`,
    )
  }

  get #isOfTeam(): boolean {
    return isTeamId(this.#partition)
  }

  /**
   * Adds the id of the team to the query parameters. The server derives the partitions `app` and `own` from
   * the collection.
   */
  #withPartition(params: URLSearchParams): URLSearchParams {
    if (this.#isOfTeam) params.set('partition', this.#partition)
    return params
  }

  /**
   * Returns a live query. Components with the same arguments share one live query, which is kept for a while after the last component
   * unsubscribes.
   */
  query(collection: string, raw: RawQuery): LiveQuery {
    const key = `${collection} ${JSON.stringify(raw)}`
    const known = this.#queries.get(key)
    if (known !== undefined) return known
    const query = new LiveQuery(this, collection, raw)
    this.#queries.set(key, query)
    this.#dropLater(key, query)
    return query
  }

  /** Shows the changes at once. Resolves with the result of the Durable Object, or rejects with its error: then no operation is applied. */
  mutate(ops: WriteOp[]): Promise<MutateResult> {
    return new Promise((resolve, reject) => {
      const mutation: PendingMutation = {
        mutationId: newId(),
        ops: ops.map((op) => ({ ...op, id: op.id ?? newId() })),
        at: new Date().toISOString(),
        resolve,
        reject,
      }
      this.#pending = [...this.#pending, mutation]
      this.#refreshQueries()
      this.#sendMutation(mutation)
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
    if (this.#socket === null) {
      this.#cursor = seq
      this.#coveredFrom = seq
      this.#openSocket()
    } else if (seq < this.#coveredFrom) query.load()
  }

  #socketUrl(): string {
    const kind = this.#isOfTeam ? 'team' : this.#partition === 'own' ? 'user' : 'app'
    const readable = Object.entries(manifest.collections).filter(
      ([, spec]) => spec.partition === kind && spec.read !== 'nobody',
    )
    const params = new URLSearchParams({
      data: readable.map(([name]) => name).join(','),
      partition: this.#partition,
      ...(this.#cursor !== null && { after: String(this.#cursor) }),
      ...(this.#room !== null && { since: String(this.#room.since()) }),
    })
    return `${location.origin.replace(/^http/, 'ws')}${this.#room?.path ?? `${DATA_PATH}/socket`}?${params}`
  }

  #receiveFrame(frame: ServerFrame | RoomFrame): void {
    switch (frame.type) {
      case 'ops':
        this.#cursor = frame.ops.at(-1)?.seq ?? this.#cursor
        return this.#applyOps(frame.ops)
      case 'hello':
        // `#cursor` is null when the socket was opened for a room, before any list was read. A list that was read
        // since then may miss operations up to the position in `hello`.
        if (this.#cursor === null) this.#reloadQueriesBefore(frame.seq)
        this.#cursor = frame.seq
        for (const mutation of this.#pending) this.#socket?.send(mutationFrame(mutation))
        for (const query of this.#queries.values()) if (query.hasFailed) query.load()
        this.#notifyFollowers(null)
        return
      case 'reset':
        this.#cursor = frame.seq
        this.#coveredFrom = frame.seq
        for (const query of this.#queries.values()) query.load()
        this.#notifyFollowers(null)
        return
      case 'ack':
        return this.#confirmMutation(frame.mutationId, frame)
      case 'nack':
        return this.#rejectMutation(frame.mutationId, fromFailure(frame))
      case 'ended':
        // The person's rights have changed, so read everything again. Pending changes may have got no reply, so send them again.
        this.restart()
        for (const mutation of this.#pending) this.#sendMutation(mutation)
        return
      default:
        this.#room?.receive(frame)
    }
  }

  #reloadQueriesBefore(from: number): void {
    this.#coveredFrom = from
    for (const query of this.#queries.values()) if (query.seq !== null && query.seq < from) query.load()
  }

  #sendMutation(mutation: PendingMutation): void {
    if (this.#status === 'live') return this.#socket?.send(mutationFrame(mutation))
    const { mutationId, ops } = mutationFrame(mutation)
    const place = this.#isOfTeam ? { partition: this.#partition } : {}
    callRoute<MutateResult>('POST', `${DATA_PATH}/mutate`, { mutationId, ops, ...place })
      .then((result) => this.#confirmMutation(mutationId, result))
      .catch((error: unknown) => {
        // Without a connection the change stays pending. The next `hello` sends it again under the same id.
        const isUnreached = error instanceof ApiError && error.code === 'unavailable' && this.#socket !== null
        if (!isUnreached) this.#rejectMutation(mutationId, error)
      })
  }

  #confirmMutation(mutationId: unknown, { seq, records }: MutateResult): void {
    const mutation = this.#removePending(mutationId)
    if (mutation === undefined) return
    this.#applyOps(
      mutation.ops.map(({ collection, id }, i) => {
        const record = records[i] ?? undefined
        return record === undefined
          ? { seq, op: 'remove', collection, id }
          : { seq, op: 'put', collection, id: record.id, record }
      }),
    )
    this.#refreshQueries()
    mutation.resolve({ seq, records })
  }

  #rejectMutation(mutationId: unknown, error: unknown): void {
    const mutation = this.#removePending(mutationId)
    this.#refreshQueries()
    mutation?.reject(error)
  }

  #removePending(mutationId: unknown): PendingMutation | undefined {
    const mutation = this.#pending.find((candidate) => candidate.mutationId === mutationId)
    this.#pending = this.#pending.filter((candidate) => candidate !== mutation)
    return mutation
  }

  #applyOps(ops: LogOp[]): void {
    for (const query of this.#queries.values()) query.apply(ops)
    this.#notifyFollowers(new Set(ops.map(({ collection }) => collection)))
  }

  #refreshQueries(): void {
    for (const query of this.#queries.values()) query.refresh()
  }

  #setStatus(status: SocketStatus): void {
    if (status === this.#status) return
    this.#status = status
    this.#refreshQueries()
    for (const listener of statusListeners) listener()
  }

  #dropLater(key: string, query: LiveQuery): void {
    setTimeout(() => {
      if (query.isWatched) this.#dropLater(key, query)
      else {
        this.#queries.delete(key)
        const isUsed = this.#queries.size > 0 || this.#followers.size > 0 || this.#room !== null
        if (this.#isOfTeam && !isUsed) this.restart()
      }
    }, LINGER_MS)
  }
}

const mutationFrame = ({ mutationId, ops }: PendingMutation): ClientFrame => ({
  type: 'mutate',
  mutationId,
  ops,
})

const pageStores = new Map<string, PageStore>()

/**
 * Returns the store of the collection's partition: the app's, the signed-in person's, or the given team's. Created on first use, so that
 * importing the module has no side effect.
 */
export function pageStore(collection: string, team?: string): PageStore {
  return pageStoreOf(team ?? (manifest.collections[collection]?.partition === 'user' ? 'own' : 'app'))
}

/** `partition` is `app`, `own`, or the id of a team. */
export function pageStoreOf(partition: string): PageStore {
  const known = pageStores.get(partition)
  if (known !== undefined) return known
  const store = new PageStore(partition)
  pageStores.set(partition, store)
  return store
}

const statusListeners = new Set<() => void>()

/** Calls `listener` whenever the page loses or regains a connection. Returns the function that unsubscribes. */
export function onStatus(listener: () => void): () => void {
  statusListeners.add(listener)
  return () => statusListeners.delete(listener)
}

/** True while any store of this page may show outdated rows. */
export const isAnyStale = (): boolean => [...pageStores.values()].some((store) => store.isStale())

/** Receives the argument `hasLeft` of `reconnectStores`. */
type RestartListener = (hasLeft: boolean) => void

const restartListeners = new Set<RestartListener>()

/** Calls `listener` after every restart. Returns the function that unsubscribes. */
export function onRestart(listener: RestartListener): () => void {
  restartListeners.add(listener)
  return () => restartListeners.delete(listener)
}

/** Reads everything again. With `hasLeft` the previous person is no longer signed in, so their unconfirmed changes are dropped. */
export function reconnectStores(hasLeft = false): void {
  for (const store of pageStores.values()) {
    if (hasLeft) store.dropPending()
    store.restart()
  }
  for (const listener of restartListeners) listener(hasLeft)
}
