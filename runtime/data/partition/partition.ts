import type { ObjectState, ServerSocket } from 'cloudflare:workers'
import { type Actor, ownerOf } from '../../kernel/access/actor.ts'
import { isTooDeep } from '../../kernel/depth.ts'
import { ApiError, invalid, toFailure, type Failure } from '../../kernel/errors.ts'
import type { Alarms } from '../../kernel/objects/alarms.ts'
import type { PreparedResult } from '../../kernel/objects/calls.ts'
import { type Hold, heldError } from '../../kernel/objects/hold.ts'
import { logError } from '../../kernel/objects/log.ts'
import type { CollectionSpec, Manifest } from '../../kernel/manifest.ts'
import { parsePartitionName, type PartitionHead, type Tier } from '../../kernel/objects/objects.ts'
import { type AddCall, type AddResult, addRecords } from './add.ts'
import type {
  Batch,
  DataResult,
  DataCall,
  DataCalls,
  DataText,
  MutateResult,
  PartitionCall,
  RecordRow,
  SimilarRecord,
  StoredRecord,
  WriteOp,
} from '../frames.ts'
import { limitsOf } from './limits.ts'
import { appliedMigrations, migratePartition } from './migrate.ts'
import { applyMutation, applyOps, type MutationOutcome } from './mutate.ts'
import { Outbox } from './outbox.ts'
import { parseQuery } from '../query.ts'
import { referencedAppRecords, filesNamed, type KnownRefs, knownFiles, refKey } from './refs.ts'
import { collectionIn, findCollection, isInScope, readableScope, requireRead } from '../rules.ts'
import { acceptSocket, broadcast, sendFrame, type Attachment } from './sockets.ts'
import { type LogEntry, PartitionStore, toRecord } from './store.ts'
import { sweepRefs } from './sweep.ts'
import {
  headOf,
  readRowPage,
  type RowPage,
  type RowCursor,
  type StoredRow,
  takeHead,
  takeRows,
} from './transfer.ts'
import { fieldsOf, requireWholeNumber } from '../../kernel/fields.ts'
import { ACTOR_HEADER, type SocketHeaders, type JoinedRoom } from '../socket-headers.ts'

const SIMILAR_RECORDS_MAX = 50
const FRAME_BYTES_MAX = 1024 * 1024

const NO_REFERENCES = new Map<string, Set<string>>()
const NO_KNOWN_RECORDS: KnownRefs = new Set()
const APP_UNREACHABLE = new ApiError(
  'unavailable',
  'What the change refers to could not be checked. Try again.',
)

/** A write as a page sent it, before `applyMutation` has validated it. */
type ReceivedMutation = DataCalls['mutate']['ask']

interface CallContext {
  manifest: Manifest
  actor: Actor
  known?: KnownRefs | undefined
}

interface SimilarCall {
  name: string
  collection: CollectionSpec
  reach: 'all' | 'own'
  to: DataCalls['similar']['ask']['to']
  limit: number
}

export interface RecordVectors {
  nearest(
    collection: string,
    to: { vector: ArrayLike<number>; limit: number; owner: string | null },
  ): { id: string; score: number }[]
  /** Returns null for a record that has no vector yet. */
  vectorOf(collection: string, id: string): ArrayLike<number> | null
}

interface PartitionDeps {
  send(batch: Batch): Promise<void>
  /** Returns those `ids` whose records exist in the app's partition. */
  askApp(collection: string, ids: string[]): Promise<string[]>
  /** Returns the owners of files. Leaves out files that do not exist. */
  callFiles(ids: string[]): Promise<{ id: string; ownerId: string | null }[]>
  /** Returns the caller with current membership. Set only for a team's partition, because members change. */
  actorHere?(actor: Actor): Actor
  /** Set only for a partition whose records are compared by meaning. */
  vectors?: RecordVectors
  changed?(log: readonly LogEntry[]): void
}

export class Partition {
  readonly #ctx: ObjectState
  readonly #tier: Tier | undefined
  /** `app`, or the id of the person or team that owns the records. */
  readonly #name: string
  readonly #store: PartitionStore
  readonly #outbox: Outbox
  readonly #hold: Hold
  readonly #manifests = new Map<string, Manifest>()
  readonly #askAppFor: PartitionDeps['askApp']
  readonly #callFiles: PartitionDeps['callFiles']
  readonly #actorHere: (actor: Actor) => Actor
  readonly #reportChanges: PartitionDeps['changed']
  readonly #vectors: PartitionDeps['vectors']
  /**
   * The last write that waits for a look-up in the app partition; null when no write waits. Later writes from sockets are queued behind it,
   * so that they are applied in the order of arrival.
   */
  #lastQueuedWrite: Promise<void> | null = null

  constructor(
    { ctx, env, hold, alarms }: { ctx: ObjectState; env: unknown; hold: Hold; alarms: Alarms },
    { send, askApp, callFiles, actorHere, changed, vectors }: PartitionDeps,
  ) {
    this.#ctx = ctx
    this.#askAppFor = askApp
    this.#callFiles = callFiles
    this.#actorHere = actorHere ?? ((actor) => actor)
    this.#reportChanges = changed
    this.#vectors = vectors
    this.#hold = hold
    const parsed = parsePartitionName(ctx.id.name)
    this.#tier = parsed?.tier
    this.#name = parsed?.partition ?? 'app'
    this.#store = new PartitionStore(ctx.storage, limitsOf(env))
    const report = (error: unknown) => logError(error, { route: 'outbox', tier: this.#tier })
    this.#outbox = new Outbox({
      ctx,
      store: this.#store,
      setAlarm: (at) => alarms.set('outbox', at),
      send,
      report,
    })
  }

  /** Stores a release's manifest. Later calls refer to it by its hash. */
  prepare(hash: string, manifest: Manifest): void {
    const now = new Date()
    const before = this.#store.head()
    this.#store.transact(() => {
      migratePartition(this.#store, manifest, now)
      this.#store.prepare(hash, manifest, now.toISOString())
      const isMigrated = this.#store.head() > before
      sweepRefs(this.#store, manifest, { partition: this.#name, at: now.toISOString(), isMigrated })
    })
    if (this.#store.head() > before) this.#outbox.requestFlush()
    this.#manifests.set(hash, manifest)
  }

  /** Applies the missing migrations of a release. Returns the ids of all applied migrations; null while the partition rejects changes. */
  migrate(hash: string, manifest: Manifest): string[] | null {
    if (this.#hold.isHeld) return null
    const applied = appliedMigrations(this.#store)
    // Check the applied migrations, not the hash: a partition that was moved here has the release's manifest but may lack its migrations.
    if (manifest.migrations.every(({ id }) => applied.includes(id))) return applied
    this.prepare(hash, manifest)
    return appliedMigrations(this.#store)
  }

  /** Handles a read or a write. For a write, `known` is what `known()` returned for its operations. */
  data(hash: string, caller: Actor, call: PartitionCall, known?: KnownRefs): DataText {
    const manifest = this.#manifestOf(hash)
    if (manifest === null) return toDataText({ ok: false, unprepared: true })
    try {
      const actor = this.#actorHere(caller)
      if (call.kind === 'list')
        return `{"ok":true,"value":${this.#readPage(hash, manifest, actor, call)}}` as DataText
      return toDataText({ ok: true, value: this.#answerCall({ manifest, actor, known }, call) })
    } catch (error) {
      return toDataText({ ok: false, error: this.#failureOf(error) })
    }
  }

  /** Looks up what operations refer to outside this partition: files and, in the partition of a person or team, records of the app. */
  known(hash: string, ops: unknown): KnownRefs | Promise<KnownRefs> {
    const manifest = this.#manifestOf(hash)
    const asked = manifest === null ? NO_REFERENCES : referencedAppRecords(manifest, this.#name, ops)
    const files = manifest === null ? [] : filesNamed(manifest, ops)
    return asked.size === 0 && files.length === 0 ? NO_KNOWN_RECORDS : this.#lookUpKnown(asked, files)
  }

  async #lookUpKnown(asked: Map<string, Set<string>>, files: string[]): Promise<KnownRefs> {
    const found = await Promise.all([
      ...[...asked].map(async ([collection, ids]) => {
        const there = await this.#askAppFor(collection, [...ids])
        return there.map((id) => refKey(collection, id))
      }),
      ...(files.length === 0 ? [] : [this.#callFiles(files).then(knownFiles)]),
    ])
    return new Set(found.flat())
  }

  holding(collection: string, ids: readonly string[]): string[] {
    if (!this.#store.collections().includes(collection)) return []
    return ids.filter((id) => this.#store.holds(collection, id))
  }

  /** Adds records for the operator. Returns null when this partition does not have the release's manifest yet. */
  addRecords(hash: string, call: AddCall, known: KnownRefs): AddResult[] | Failure | null {
    const manifest = this.#manifestOf(hash)
    if (manifest === null) return null
    // Return the error as a value: an error thrown across the RPC boundary would lose its code.
    if (this.#hold.isHeld) return toFailure(heldError())
    const { added, log } = addRecords(
      this.#store,
      this.#callWithPartition({ manifest, actor: 'system', known }),
      call,
    )
    this.#publishOutcome({ result: { seq: this.#store.head(), records: [] }, log })
    return added
  }

  /** Returns the rows of the records with these `ids`. Leaves out records that do not exist. */
  readRows(collection: string, ids: string[]): RecordRow[] {
    return ids.flatMap((id) => this.#store.read(collection, id) ?? [])
  }

  /** Returns the manifest with `hash`; for null, the latest manifest. Returns null when this partition does not have the manifest. */
  manifest(hash: string | null): Manifest | null {
    return hash === null ? this.#store.latestManifest() : this.#manifestOf(hash)
  }

  /** Writes as the app itself, without access rules. Throws when the write is invalid. */
  writeAsApp(manifest: Manifest, ops: WriteOp[]): MutateResult {
    return this.#publishOutcome(
      applyOps(this.#store, this.#callWithPartition({ manifest, actor: 'system' }), ops),
    )
  }

  /** Returns the fields of a record; null when it does not exist. */
  fieldsOf(collection: string, id: string): Record<string, unknown> | null {
    const row = this.#store.collections().includes(collection) ? this.#store.read(collection, id) : null
    return row === null ? null : JSON.parse(row.json)
  }

  head(): Pick<PartitionHead, 'migrations'> {
    return headOf(this.#store)
  }

  rows(after: RowCursor | null): RowPage {
    return readRowPage(this.#store, after)
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    takeHead(this.#store, head, release, new Date().toISOString())
  }

  takeRows(rows: readonly StoredRow[]): Promise<void> {
    takeRows(this.#store, rows, new Date())
    return this.#outbox.flush()
  }

  /** Removes a person's id from records that others share, and from stored results of earlier changes. */
  disown(userId: string): void {
    const store = this.#store
    const at = new Date().toISOString()
    store.forgetOwner(userId)
    for (const collection of store.collections())
      for (let rows; (rows = store.ownedBy(collection, userId)).length > 0;) {
        const log = store.transact(() =>
          rows.map((row) => {
            const free = { ...row, owner: null, rev: row.rev + 1, updated_at: at }
            store.write(collection, free)
            return store.append('put', collection, free, at)
          }),
        )
        this.#publishOutcome({ result: { seq: store.head(), records: [] }, log })
      }
  }

  countOwned(userId: string): number {
    return this.#store.count(userId)
  }

  countRecords(): number {
    return this.#store.count()
  }

  flush(): Promise<void> {
    return this.#outbox.flush()
  }

  /** Sets the outbox alarm for other data that must reach the directory, such as a team's name. */
  requestFlush(): void {
    this.#outbox.requestFlush()
  }

  wake(): Promise<void> {
    return this.#outbox.wake()
  }

  /** Opens a socket. With `joined` the socket also joins a room. Returns only a response when the socket is refused. */
  open(request: Request, joined: JoinedRoom | null): { socket: ServerSocket; response: Response } | Response {
    const query = new URL(request.url).searchParams
    const hash = request.headers.get('slipway-manifest') ?? ''
    const manifest = this.#manifestOf(hash)
    if (manifest === null) return new Response(null, { status: 409 })
    const after = query.get('after')
    const opened = acceptSocket(this.#ctx, this.#store, {
      manifest,
      hash,
      actor: this.#actorHere(actorFromHeaders(request.headers)),
      partition: this.#name,
      wanted: (query.get('data') ?? '').split(','),
      after: after === null || !/^\d{1,15}$/.test(after) ? null : Number(after),
      joined,
    })
    return opened ?? new Response(null, { status: 503 })
  }

  message(socket: ServerSocket, message: string | ArrayBuffer): void {
    // Ignore messages of a socket that was closed because its person signed out, was erased or got other rights. Messages can arrive until
    // the client has also closed the socket.
    if (socket.readyState !== WebSocket.OPEN) return
    const frame =
      typeof message === 'string' && message.length <= FRAME_BYTES_MAX ? parseFrame(message) : null
    if (frame === null) return socket.close(1008, 'Only mutate frames up to 1 MiB are understood.')
    const { hash, actor } = socket.deserializeAttachment() as Attachment
    const manifest = this.#manifestOf(hash)
    if (manifest === null) return socket.close(1012, 'Connect again.')
    const known = this.known(hash, frame.ops)
    if (this.#lastQueuedWrite === null && !(known instanceof Promise))
      return this.#mutateFor(socket, frame, { manifest, actor, known })
    const write = Promise.allSettled([known, this.#lastQueuedWrite]).then(([found]) => {
      if (this.#lastQueuedWrite === write) this.#lastQueuedWrite = null
      // A page whose socket has closed sends its change again after reconnecting.
      if (socket.readyState !== WebSocket.OPEN) return
      const problem = found.status === 'rejected' ? APP_UNREACHABLE : null
      const call = { manifest, actor, known: found.status === 'fulfilled' ? found.value : NO_KNOWN_RECORDS }
      this.#mutateFor(socket, frame, call, problem)
    })
    this.#lastQueuedWrite = write
    this.#ctx.waitUntil(write)
  }

  #mutateFor(
    socket: ServerSocket,
    frame: ReceivedMutation,
    asked: CallContext,
    problem: ApiError | null = null,
  ): void {
    const { manifest } = asked
    const { mutationId, ops } = frame
    let { actor } = asked
    try {
      // Use current rights: the person may have left the team since the socket was opened.
      actor = this.#actorHere(actor)
      const call = { ...asked, actor }
      if (problem !== null) throw problem
      if (isTooDeep(ops)) throw invalid('ops', 'is nested too deeply')
      sendFrame(socket, { type: 'ack', mutationId, ...this.#applyMutation(call, frame) })
    } catch (error) {
      const record = this.#currentRecord(manifest, actor, ops)
      sendFrame(socket, {
        type: 'nack',
        mutationId,
        ...this.#failureOf(error),
        ...(record === null ? {} : { record }),
      })
    }
  }

  #applyMutation(call: CallContext, mutation: ReceivedMutation) {
    this.#hold.require()
    return this.#publishOutcome(applyMutation(this.#store, this.#callWithPartition(call), mutation))
  }

  #publishOutcome({ result, log }: MutationOutcome) {
    if (log.length > 0) this.#outbox.requestFlush()
    broadcast(this.#ctx, log, { manifestOf: (known) => this.#manifestOf(known), actorHere: this.#actorHere })
    this.#reportChanges?.(log)
    return result
  }

  #readPage(hash: string, manifest: Manifest, actor: Actor, call: DataCall<'list'>): string {
    const collection = collectionIn(manifest, call.collection, this.#name)
    const reach = requireRead(actor, call.collection, collection)
    const query = parseQuery(collection, call.query)
    const owner = reach === 'own' ? ownerOf(actor) : null
    return this.#store.page(hash, call.collection, collection, { query, owner })
  }

  #callWithPartition(call: CallContext) {
    return { ...call, partition: this.#name, now: new Date() }
  }

  #answerCall(from: CallContext, call: Exclude<PartitionCall, DataCall<'list'>>) {
    const { manifest, actor } = from
    if (call.kind === 'mutate') return this.#applyMutation(from, call)
    if (call.kind === 'write') {
      this.#hold.require()
      return this.#publishOutcome(applyOps(this.#store, this.#callWithPartition(from), call.ops))
    }
    const collection = collectionIn(manifest, call.collection, this.#name)
    const reach = requireRead(actor, call.collection, collection)
    if (call.kind === 'count') {
      const { conditions } = parseQuery(collection, { where: call.where })
      return this.#store.countOf(call.collection, conditions, reach === 'own' ? ownerOf(actor) : null)
    }
    if (call.kind === 'similar')
      return this.#similarRecords({ ...call, collection, name: call.collection, reach }, actor)
    return toRecord(this.#requireReadable(call.collection, call.id, { reach, actor }), collection)
  }

  /** Returns the records closest in meaning that the caller may read. Throws when the caller may not read the record to compare with. */
  #similarRecords({ name, collection, reach, to, limit }: SimilarCall, actor: Actor): SimilarRecord[] {
    if (!Object.values(collection.fields).some(({ similar }) => similar === true))
      throw invalid('collection', `${name} has no field with "similar": true`)
    requireWholeNumber('limit', limit, SIMILAR_RECORDS_MAX)
    const self = 'id' in to ? this.#requireReadable(name, to.id, { reach, actor }).id : null
    const vector = 'id' in to ? this.#vectors?.vectorOf(name, to.id) : to.vector
    // The vector does not exist yet: it is created shortly after the record.
    if (!vector?.length) return []
    const owner = reach === 'own' ? ownerOf(actor) : null
    const found = this.#vectors?.nearest(name, { vector, limit: limit + 1, owner }) ?? []
    return found
      .filter(({ id }) => id !== self)
      .slice(0, limit)
      .flatMap(({ id, score }) => {
        const row = this.#store.read(name, id)
        return row === null ? [] : [{ record: toRecord(row, collection), score }]
      })
  }

  #requireReadable(
    name: string,
    id: unknown,
    { reach, actor }: { reach: 'all' | 'own'; actor: Actor },
  ): RecordRow {
    const row = typeof id === 'string' ? this.#store.read(name, id) : null
    if (row === null || !isInScope(reach, actor, row.owner))
      throw new ApiError('not_found', `No such record in ${name}.`)
    return row
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof ApiError) return toFailure(error)
    logError(error, { route: 'data', tier: this.#tier })
    return { code: 'server_error', message: 'The data could not be read or written.' }
  }

  #manifestOf(hash: string): Manifest | null {
    const manifest = this.#manifests.get(hash) ?? this.#store.readManifest(hash)
    if (manifest !== null) this.#manifests.set(hash, manifest)
    return manifest
  }

  /** Returns the stored record, so that the page can roll back a rejected change without another read. */
  #currentRecord(manifest: Manifest, actor: Actor, ops: unknown): StoredRecord | null {
    // Any value is possible here, because the call failed before it was validated.
    const { op, collection: name, id } = fieldsOf(Array.isArray(ops) && ops.length === 1 ? ops[0] : null)
    const collection = findCollection(manifest, name)
    if (collection === undefined || op === 'create' || typeof name !== 'string' || typeof id !== 'string')
      return null
    const row = this.#store.read(name, id)
    const isVisible = row !== null && isInScope(readableScope(actor, collection), actor, row.owner)
    return isVisible ? toRecord(row, collection) : null
  }
}

const toDataText = (answer: PreparedResult<DataResult<DataCall>>): DataText => JSON.stringify(answer)

function parseFrame(text: string): ReceivedMutation | null {
  try {
    const frame = JSON.parse(text)
    return isMutation(frame) ? frame : null
  } catch {
    return null
  }
}

/** Checks only the type of the frame. Applying the mutation validates the other fields. */
const isMutation = (value: unknown): value is ReceivedMutation => fieldsOf(value)['type'] === 'mutate'

/** A socket without the header belongs to a visitor, because the worker sets the header for everyone who is signed in. */
export function actorFromHeaders(headers: Headers): Actor {
  const actor = (headers as SocketHeaders).get(ACTOR_HEADER)
  return actor === null ? 'anonymous' : JSON.parse(actor)
}
