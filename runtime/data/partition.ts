import type { ObjectState, ServerSocket } from 'cloudflare:workers'
import { type Actor, ownerOf } from '../kernel/actor.ts'
import { ApiError, toFailure, type Failure } from '../kernel/errors.ts'
import type { Hold } from '../kernel/hold.ts'
import { logError } from '../kernel/log.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { placeOf, type Tier } from '../kernel/objects.ts'
import type { Batch, DataAnswer, DataCall, DataText, FrameUp, Row, StoredRecord, WriteOp } from './frames.ts'
import { limitsOf } from './limits.ts'
import { migratePartition } from './migrate.ts'
import { applyMutation, applyOps, type Outcome } from './mutate.ts'
import { Outbox } from './outbox.ts'
import { parseQuery } from './query.ts'
import { collectionIn, isReached, readReach, requireRead } from './rules.ts'
import { acceptSocket, broadcast, sendFrame, type Attachment } from './sockets.ts'
import { PartitionStore, toRecord } from './store.ts'
import {
  headOf,
  type PartitionHead,
  readRowPage,
  type RowPage,
  type RowPlace,
  type StoredRow,
  takeHead,
  takeRows,
} from './transfer.ts'

const FRAME_BYTES_MAX = 1024 * 1024

type Mutation = { mutationId: string; ops: WriteOp[] }

/** One partition: its records, its rules and its sockets. */
export class Partition {
  readonly #ctx: ObjectState
  readonly #tier: Tier | undefined
  /** `app`, or the id of the person whose records these are. */
  readonly #name: string
  readonly #store: PartitionStore
  readonly #outbox: Outbox
  readonly #hold: Hold
  readonly #manifests = new Map<string, Manifest>()

  constructor(ctx: ObjectState, env: unknown, hold: Hold, send: (batch: Batch) => Promise<void>) {
    this.#ctx = ctx
    this.#hold = hold
    const place = placeOf(ctx.id.name)
    this.#tier = place?.tier
    this.#name = place?.partition ?? 'app'
    this.#store = new PartitionStore(ctx.storage, limitsOf(env))
    const report = (error: unknown) => logError(error, { route: 'outbox', tier: this.#tier })
    this.#outbox = new Outbox({ ctx, store: this.#store, send, report })
  }

  /** Stores a manifest; later calls name it by hash and are validated by it. */
  prepare(hash: string, manifest: Manifest): void {
    const now = new Date()
    const before = this.#store.head()
    this.#store.transact(() => {
      migratePartition(this.#store, manifest, now)
      this.#store.prepare(hash, manifest, now.toISOString())
    })
    if (this.#store.head() > before) this.#outbox.poke()
    this.#manifests.set(hash, manifest)
  }

  data(hash: string, actor: Actor, call: DataCall): DataText {
    const manifest = this.#manifest(hash)
    if (manifest === null) return toText({ ok: false, unprepared: true })
    try {
      if (call.kind === 'list') return `{"ok":true,"value":${this.#page(hash, manifest, actor, call)}}`
      return toText({ ok: true, value: this.#answer(manifest, actor, call) })
    } catch (error) {
      return toText({ ok: false, error: this.#failureOf(error) })
    }
  }

  /** Returns the stored rows; missing ones are left out. */
  readRows(collection: string, ids: string[]): Row[] {
    return ids.flatMap((id) => this.#store.read(collection, id) ?? [])
  }

  head(): PartitionHead {
    return headOf(this.#store)
  }

  rows(after: RowPlace | null): RowPage {
    return readRowPage(this.#store, after)
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    takeHead(this.#store, head, release, new Date().toISOString())
  }

  takeRows(rows: readonly StoredRow[]): Promise<void> {
    takeRows(this.#store, rows, new Date())
    return this.#outbox.flush()
  }

  /** Takes a person's id off the records that others share, and off what is kept of earlier changes. */
  disown(userId: string): number {
    const rows = this.#store.ownedBy(userId)
    const at = new Date().toISOString()
    const log = this.#store.transact(() => {
      this.#store.forgetOwner(userId)
      return rows.map(({ collection, row }) => {
        const free = { ...row, owner: null, rev: row.rev + 1, updated_at: at }
        this.#store.write(collection, free)
        return this.#store.append('put', collection, free, at)
      })
    })
    this.#publish({ result: { seq: this.#store.head(), records: [] }, log })
    return rows.length
  }

  countRecords(): number {
    return this.#store.count()
  }

  flush(): Promise<void> {
    return this.#outbox.flush()
  }

  wake(): Promise<void> {
    return this.#outbox.wake()
  }

  fetch(request: Request): Response {
    const query = new URL(request.url).searchParams
    const hash = request.headers.get('slipway-manifest') ?? ''
    const manifest = this.#manifest(hash)
    if (manifest === null) return new Response(null, { status: 409 })
    const after = query.get('after')
    return acceptSocket(this.#ctx, this.#store, {
      manifest,
      hash,
      actor: actorIn(request.headers),
      partition: this.#name,
      wanted: (query.get('data') ?? '').split(','),
      after: after === null || !/^\d{1,15}$/.test(after) ? null : Number(after),
    })
  }

  message(socket: ServerSocket, message: string | ArrayBuffer): void {
    const frame =
      typeof message === 'string' && message.length <= FRAME_BYTES_MAX ? parseFrame(message) : null
    if (frame === null) return socket.close(1008, 'Only mutate frames up to 1 MiB are understood.')
    const { hash, actor } = socket.deserializeAttachment() as Attachment
    const { mutationId, ops } = frame
    const manifest = this.#manifest(hash)
    if (manifest === null) return socket.close(1012, 'Connect again.')
    try {
      sendFrame(socket, { type: 'ack', mutationId, ...this.#mutate(manifest, actor, frame) })
    } catch (error) {
      const record = this.#current(manifest, actor, ops)
      sendFrame(socket, {
        type: 'nack',
        mutationId,
        ...this.#failureOf(error),
        ...(record === null ? {} : { record }),
      })
    }
  }

  #mutate(manifest: Manifest, actor: Actor, mutation: Mutation) {
    this.#hold.require()
    return this.#publish(applyMutation(this.#store, this.#judged(manifest, actor), mutation))
  }

  #publish({ result, log }: Outcome) {
    if (log.length > 0) this.#outbox.poke()
    broadcast(this.#ctx, log, (known) => this.#manifest(known))
    return result
  }

  #page(hash: string, manifest: Manifest, actor: Actor, call: Extract<DataCall, { kind: 'list' }>): string {
    const collection = collectionIn(manifest, call.collection, this.#name)
    const reach = requireRead(actor, call.collection, collection)
    const query = parseQuery(collection, call.query)
    const owner = reach === 'own' ? ownerOf(actor) : null
    return this.#store.page(hash, call.collection, collection, { query, owner })
  }

  #judged(manifest: Manifest, actor: Actor) {
    return { manifest, actor, partition: this.#name, now: new Date() }
  }

  #answer(manifest: Manifest, actor: Actor, call: Exclude<DataCall, { kind: 'list' }>) {
    if (call.kind === 'mutate') return this.#mutate(manifest, actor, call)
    if (call.kind === 'write') {
      this.#hold.require()
      return this.#publish(applyOps(this.#store, this.#judged(manifest, actor), call.ops))
    }
    const collection = collectionIn(manifest, call.collection, this.#name)
    const reach = requireRead(actor, call.collection, collection)
    if (call.kind === 'search') throw new Error('a search is answered by the directory')
    const row = this.#store.read(call.collection, call.id)
    if (row === null || !isReached(reach, actor, row.owner))
      throw new ApiError('not_found', `No such record in ${call.collection}.`)
    return toRecord(row, collection)
  }

  #failureOf(error: unknown): Failure {
    if (error instanceof ApiError) return toFailure(error)
    logError(error, { route: 'data', tier: this.#tier })
    return { code: 'server_error', message: 'The data could not be read or written.' }
  }

  #manifest(hash: string): Manifest | null {
    const manifest = this.#manifests.get(hash) ?? this.#store.readManifest(hash)
    if (manifest !== null) this.#manifests.set(hash, manifest)
    return manifest
  }

  /** The record as stored, so that a refused change can be rolled back without another read. */
  #current(manifest: Manifest, actor: Actor, ops: WriteOp[]): StoredRecord | null {
    // Any value is possible here: the call was refused before it was validated.
    const op: Partial<WriteOp> | null | undefined = Array.isArray(ops) && ops.length === 1 ? ops[0] : null
    if (op?.collection === undefined || op.op === 'create' || typeof op.id !== 'string') return null
    const collection = Object.hasOwn(manifest.collections, op.collection)
      ? manifest.collections[op.collection]
      : null
    if (collection === null || collection === undefined) return null
    const row = this.#store.read(op.collection, op.id)
    const isVisible = row !== null && isReached(readReach(actor, collection), actor, row.owner)
    return isVisible ? toRecord(row, collection) : null
  }
}

const toText = (answer: DataAnswer): DataText => JSON.stringify(answer)

function parseFrame(text: string): FrameUp | null {
  try {
    const frame = JSON.parse(text) as FrameUp | null
    return frame?.type === 'mutate' ? frame : null
  } catch {
    return null
  }
}

/** The header by which the entrypoint names the actor of a socket. */
export const ACTOR_HEADER = 'slipway-actor'

const actorIn = (headers: Headers): Actor => JSON.parse(headers.get(ACTOR_HEADER) ?? '"anonymous"') as Actor
