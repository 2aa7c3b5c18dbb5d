import { DurableObject, type ObjectState, type ServerSocket } from 'cloudflare:workers'
import type { Actor, SessionToken } from '../../kernel/access/actor.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { logError } from '../../kernel/objects/log.ts'
import { ApiError, failureAnswer, noSuchPartition, type Failure } from '../../kernel/errors.ts'
import { type PartitionHead, tierOf } from '../../kernel/objects/objects.ts'
import { addMethods } from '../../kernel/objects/part.ts'
import { PARTS } from '../../object-parts.ts'
import type { AddCall, AddResult } from '../../data/partition/add.ts'
import type { DataText, PartitionCall, RecordRow } from '../../data/frames.ts'
import { type ObjectEnv, ObjectParts } from './parts.ts'
import { actorFromHeaders } from '../../data/partition/partition.ts'
import type { KnownRefs } from '../../data/partition/refs.ts'
import type { RowPage, RowCursor, StoredRow } from '../../data/partition/transfer.ts'
import { GroupCommit } from '../../data/group-commit.ts'

const NO_PARTITION: DataText = JSON.stringify(failureAnswer(noSuchPartition()))

/** Close codes that must not be sent (RFC 6455, 7.4.1). Sending one throws. 1005 and 1006 stand for a close without a code. */
const RESERVED_CODES = [1004, 1005, 1006, 1015]

/**
 * The project's only Durable Object class. The instance's name decides its role: a partition stores records and holds sockets; the
 * directory (`dir...` methods) is the read model of all partitions. The first call creates the tables.
 */
export class AppObject extends DurableObject<ObjectEnv> {
  readonly #parts: ObjectParts
  readonly #commits = new GroupCommit()

  static {
    for (const { methods } of PARTS) addMethods(this.prototype, methods, (object) => object.#parts)
  }

  constructor(ctx: ObjectState, env: ObjectEnv) {
    super(ctx, env)
    this.#parts = new ObjectParts(ctx, env)
    // Cloudflare replies to pings itself, so that keeping connections open does not wake the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  prepare(hash: string, manifest: Manifest): void {
    this.#parts.own.prepare(hash, manifest)
    this.#parts.prepared()
  }

  /**
   * Applies the migrations of a release. Returns the ids of all applied migrations; null while changes are
   * rejected. For a person or team that no longer exists all migrations count as applied, and nothing is
   * stored.
   */
  async migrate(hash: string, manifest: Manifest): Promise<string[] | null> {
    if (!this.#parts.isKept) return manifest.migrations.map(({ id }) => id)
    const applied = this.#parts.own.migrate(hash, manifest)
    this.#parts.prepared()
    await this.#parts.own.flush()
    return applied
  }

  /** Runs a data call for the person of a session. Returns null and stores nothing when the session is not valid. */
  async dataOf(hash: string, session: SessionToken, call: PartitionCall): Promise<DataText | null> {
    const person = this.#parts.account.person(session)
    return person === null ? null : await this.data(hash, person, call)
  }

  data(hash: string, actor: Actor, call: PartitionCall): DataText | Promise<DataText> {
    if (this.#parts.isTeam && !this.#parts.team.isThere) return NO_PARTITION
    const isWrite = call.kind === 'write' || call.kind === 'mutate'
    if (!isWrite) return this.#parts.own.data(hash, actor, call)
    const write = (known: KnownRefs) =>
      this.#commits.take(() => this.#parts.own.data(hash, actor, call, known))
    const known = this.#parts.own.known(hash, call.ops)
    return known instanceof Promise ? known.then(write) : write(known)
  }

  /** Opens a socket for records, for a room, or for both. */
  fetch(request: Request): Response {
    const { isTeam, isRoom, team, rooms } = this.#parts
    if (isTeam && !team.isThere) return new Response(null, { status: 404 })
    const query = new URL(request.url).searchParams
    const since = Number(query.get('since') ?? 0)
    try {
      const given = actorFromHeaders(request.headers)
      const actor = isTeam ? team.actorHere(given) : given
      const peerState = rooms.newPeer(request, actor)
      // The person left the team after the worker had checked the membership.
      if (peerState !== null && isTeam && typeof actor !== 'string' && actor.inTeam !== true)
        return new Response(null, { status: 403 })
      if (peerState !== null && request.headers.get('upgrade') === null)
        return new Response(null, { status: 204 })
      if (peerState !== null && isRoom)
        return rooms.open(peerState, { hash: request.headers.get('slipway-manifest') ?? '', actor }, since)
      const opened = this.#parts.own.open(request, peerState)
      if (opened instanceof Response) return opened
      if (peerState !== null) rooms.enter(opened.socket, peerState, since)
      return opened.response
    } catch (error) {
      if (error instanceof ApiError) return new Response(error.message, { status: error.status })
      throw error
    }
  }

  /** Closes the sockets of a person. Their pages reconnect with the person's current rights. */
  closeSockets(userId: string): void {
    this.#parts.endSockets(userId)
  }

  /** Returns which of these records exist. Called by another partition whose records refer to them. */
  holding(collection: string, ids: string[]): string[] {
    return this.#parts.own.holding(collection, ids)
  }

  /** Creates records, as the operator does. Returns null when the partition does not have this release's manifest yet. */
  async addRecords(hash: string, call: AddCall): Promise<AddResult[] | Failure | null> {
    const { collection, records } = call
    const ops = records.map(({ id, fields }) => ({ op: 'create', collection, id, fields }))
    const known = await this.#parts.own.known(hash, ops)
    return this.#commits.take(() => this.#parts.own.addRecords(hash, call, known))
  }

  readRows(collection: string, ids: string[]): RecordRow[] {
    return this.#parts.own.readRows(collection, ids)
  }

  disown(userId: string): Promise<void> {
    this.#parts.rooms.forget(userId)
    if (this.#parts.isRoom) return Promise.resolve()
    this.#parts.own.disown(userId)
    return this.#parts.own.flush()
  }

  countOwned(userId: string): number {
    return this.#parts.own.countOwned(userId)
  }

  countRecords(): number {
    return this.#parts.own.countRecords()
  }

  flush(): Promise<void> {
    return this.#parts.own.flush()
  }

  /**
   * Makes the object reject changes while its data is copied to another cloud account, or accept them again.
   */
  hold(isHeld: boolean): void {
    this.#parts.hold.set(isHeld)
  }

  /** Deletes everything, before a project is moved to this cloud account again after a failed attempt. */
  wipe(): Promise<void> {
    return this.#parts.empty()
  }

  head(): PartitionHead {
    return this.#parts.head()
  }

  rows(after: RowCursor | null): RowPage {
    return this.#parts.rows(after)
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    this.#parts.takeHead(head, release)
  }

  takeRows(rows: StoredRow[]): Promise<void> {
    return this.#parts.takeRows(rows)
  }

  webSocketMessage(socket: ServerSocket, message: string | ArrayBuffer): void {
    if (this.#parts.rooms.take(socket, message)) return
    if (this.#parts.isRoom) socket.close(1008, 'This room has no records.')
    else this.#parts.own.message(socket, message)
  }

  webSocketClose(socket: ServerSocket, code: number): void {
    this.#parts.rooms.leave(socket)
    const isSendable = code >= 1000 && code < 5000 && !RESERVED_CODES.includes(code)
    socket.close(isSendable ? code : 1000)
  }

  webSocketError(socket: ServerSocket): void {
    this.#parts.rooms.leave(socket)
  }

  async alarm(): Promise<void> {
    const { name } = this.ctx.id
    try {
      await this.#parts.alarms.wake(this.#parts.wakers(), Date.now())
    } catch (error) {
      // An alarm has no caller to report the error to, so log it here.
      logError(error, { route: 'alarm', tier: tierOf(name) })
    }
  }

  resumeHooks(): void {
    for (const part of PARTS) part.resume?.(this.#parts)
  }
}
