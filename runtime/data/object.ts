import { DurableObject, type ObjectState, type ServerSocket } from 'cloudflare:workers'
import { ApiError, toFailure, type Failure } from '../kernel/errors.ts'
import { logError } from '../kernel/log.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { Actor, DataAnswer, DataCall, FrameUp, StoredRecord, WriteOp } from './frames.ts'
import { limitsOf } from './limits.ts'
import { applyMutation } from './mutate.ts'
import { parseQuery } from './query.ts'
import { canRead, collectionOf, requireRead } from './rules.ts'
import { acceptSocket, broadcast, sendFrame, type Attachment } from './sockets.ts'
import { PartitionStore, toRecord } from './store.ts'
import { migratePartition } from './migrate.ts'

const FRAME_BYTES_MAX = 1024 * 1024

/** The project's object class: one instance per partition holds its records and its sockets. */
export class AppObject extends DurableObject {
  readonly #store: PartitionStore
  readonly #manifests = new Map<string, Manifest>()

  constructor(ctx: ObjectState, env: unknown) {
    super(ctx, env)
    this.#store = new PartitionStore(ctx.storage, limitsOf(env))
    // Answered by the runtime itself, so keeping a connection alive never wakes the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  /** Learns a manifest; every later call names it by hash and is judged by it. */
  prepare(hash: string, manifest: Manifest): void {
    const now = new Date()
    this.#store.transact(() => {
      migratePartition(this.#store, manifest, now)
      this.#store.prepare(hash, manifest, now.toISOString())
    })
    this.#manifests.set(hash, manifest)
  }

  data(hash: string, actor: Actor, call: DataCall): DataAnswer {
    const manifest = this.#manifest(hash)
    if (manifest === null) return { ok: false, unprepared: true }
    try {
      return { ok: true, value: this.#answer(manifest, actor, call) }
    } catch (error) {
      return { ok: false, error: failureOf(error) }
    }
  }

  fetch(request: Request): Response {
    const query = new URL(request.url).searchParams
    const hash = request.headers.get('slipway-manifest') ?? ''
    const manifest = this.#manifest(hash)
    if (manifest === null) return new Response(null, { status: 409 })
    const after = query.get('after')
    return acceptSocket(this.ctx, this.#store, {
      manifest,
      hash,
      actor: 'anonymous',
      wanted: (query.get('data') ?? '').split(','),
      after: after === null || !/^\d{1,15}$/.test(after) ? null : Number(after),
    })
  }

  webSocketMessage(socket: ServerSocket, message: string | ArrayBuffer): void {
    const frame =
      typeof message === 'string' && message.length <= FRAME_BYTES_MAX ? parseFrame(message) : null
    if (frame === null) return socket.close(1008, 'Only mutate frames up to 1 MiB are understood.')
    const { hash, actor } = socket.deserializeAttachment() as Attachment
    const { mutationId, ops } = frame
    const manifest = this.#manifest(hash)
    if (manifest === null) return socket.close(1012, 'Connect again.')
    try {
      const { result, log } = applyMutation(this.#store, manifest, actor, frame, new Date())
      broadcast(this.ctx, log, (known) => this.#manifest(known))
      sendFrame(socket, { type: 'ack', mutationId, ...result })
    } catch (error) {
      const record = this.#current(manifest, actor, ops)
      sendFrame(socket, {
        type: 'nack',
        mutationId,
        ...failureOf(error),
        ...(record === null ? {} : { record }),
      })
    }
  }

  webSocketClose(socket: ServerSocket, code: number): void {
    // 1005 and 1006 say "no code was sent" and must not be sent themselves.
    socket.close(code === 1005 || code === 1006 ? 1000 : code)
  }

  #answer(manifest: Manifest, actor: Actor, call: DataCall) {
    if (call.kind === 'mutate') {
      const { result, log } = applyMutation(this.#store, manifest, actor, call, new Date())
      broadcast(this.ctx, log, (known) => this.#manifest(known))
      return result
    }
    const collection = collectionOf(manifest, call.collection)
    requireRead(actor, call.collection, collection)
    if (call.kind === 'list') {
      return this.#store.list(call.collection, collection, parseQuery(collection, call.query))
    }
    const row = this.#store.read(call.collection, call.id)
    if (row === null) throw new ApiError('not_found', `No such record in ${call.collection}.`)
    return toRecord(row, collection)
  }

  #manifest(hash: string): Manifest | null {
    const manifest = this.#manifests.get(hash) ?? this.#store.readManifest(hash)
    if (manifest !== null) this.#manifests.set(hash, manifest)
    return manifest
  }

  /** The record as it really is, so that a refused change can be rolled back without another read. */
  #current(manifest: Manifest, actor: Actor, ops: WriteOp[]): StoredRecord | null {
    const op = Array.isArray(ops) && ops.length === 1 ? ops[0] : undefined
    if (op === undefined || op.op === 'create' || typeof op.id !== 'string') return null
    const collection = Object.hasOwn(manifest.collections, op.collection)
      ? manifest.collections[op.collection]
      : null
    if (collection === null || collection === undefined) return null
    if (!canRead(actor, collection)) return null
    const row = this.#store.read(op.collection, op.id)
    return row === null ? null : toRecord(row, collection)
  }
}

function parseFrame(text: string): FrameUp | null {
  try {
    const frame = JSON.parse(text) as FrameUp | null
    return frame?.type === 'mutate' ? frame : null
  } catch {
    return null
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return toFailure(error)
  logError(error, { route: 'data' })
  return { code: 'server_error', message: 'The data could not be read or written.' }
}
