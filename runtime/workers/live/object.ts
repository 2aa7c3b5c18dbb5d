import { DurableObject, type ObjectState, type ServerSocket } from 'cloudflare:workers'
import type { BudgetCalls } from '../../directory/budget.ts'
import type { Found } from '../../directory/frames.ts'
import { directoryPage, type FoundPage } from '../../directory/page.ts'
import type { Search } from '../../directory/store.ts'
import type { FileRef, FilesCalls } from '../../files/types.ts'
import type { AccountCalls, UserListCalls } from '../../auth/objects.ts'
import type { MembershipCalls } from '../../team/memberships.ts'
import type { TeamListCalls } from '../../team/list.ts'
import type { TeamErasure, TeamObjectCalls } from '../../team/object.ts'
import type { Actor, SessionToken } from '../../kernel/actor.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import { logError } from '../../kernel/log.ts'
import { ApiError, type Failure } from '../../kernel/errors.ts'
import type { RoomObjectCalls } from '../../live/types.ts'
import { type PartitionHead, tierOf } from '../../kernel/objects.ts'
import { addMethods } from '../../kernel/part.ts'
import { PARTS } from '../../object-parts.ts'
import type { AddCall, Added } from '../../data/add.ts'
import type { Batch, DataCall, DataText, Row } from '../../data/frames.ts'
import { type ObjectEnv, ObjectParts } from './parts.ts'
import { actorIn } from '../../data/partition.ts'
import type { ParsedQuery } from '../../data/query.ts'
import type { Known } from '../../data/refs.ts'
import type { RowPage, RowPlace, StoredRow } from '../../data/transfer.ts'
import { GroupCommit } from '../../data/group-commit.ts'

const NO_PARTITION: DataText = JSON.stringify({
  ok: false,
  error: { code: 'not_found', message: 'There is no such partition.' },
})

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
    // The platform replies to pings itself, so that keeping connections open does not wake the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  prepare(hash: string, manifest: Manifest): void {
    this.#parts.own.prepare(hash, manifest)
    this.#parts.prepared()
  }

  /** The person or team no longer exists, so there is nothing to migrate and nothing may be stored. */
  async migrate(hash: string, manifest: Manifest): Promise<string[] | null> {
    if (!this.#parts.isKept) return manifest.migrations.map(({ id }) => id)
    const applied = this.#parts.own.migrate(hash, manifest)
    this.#parts.prepared()
    await this.#parts.own.flush()
    return applied
  }

  /** Runs a data call for the person of a session. Returns null when the session is not valid, and stores nothing for it. */
  async dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null> {
    const person = this.#parts.account.person(session)
    return person === null ? null : await this.data(hash, person, call)
  }

  data(hash: string, actor: Actor, call: DataCall): DataText | Promise<DataText> {
    if (this.#parts.isTeam && !this.#parts.team.isThere) return NO_PARTITION
    const isWrite = call.kind === 'write' || call.kind === 'mutate'
    if (!isWrite) return this.#parts.own.data(hash, actor, call)
    const write = (known: Known) => this.#commits.take(() => this.#parts.own.data(hash, actor, call, known))
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
      const given = actorIn(request.headers)
      const actor = isTeam ? team.actorHere(given) : given
      const seat = rooms.seatFor(request, actor)
      // The person left the team after the worker had checked the membership.
      if (seat !== null && isTeam && typeof actor !== 'string' && actor.inTeam !== true)
        return new Response(null, { status: 403 })
      if (seat !== null && request.headers.get('upgrade') === null) return new Response(null, { status: 204 })
      if (seat !== null && isRoom)
        return rooms.open(seat, { hash: request.headers.get('slipway-manifest') ?? '', actor }, since)
      const opened = this.#parts.own.open(request, seat)
      if (opened instanceof Response) return opened
      if (seat !== null) rooms.enter(opened.socket, seat, since)
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

  rooms<Kind extends keyof RoomObjectCalls>(kind: Kind, ask: RoomObjectCalls[Kind]['ask']) {
    return this.#parts.rooms.answer(kind, ask)
  }

  account<Kind extends keyof AccountCalls>(kind: Kind, ask: AccountCalls[Kind]['ask']) {
    return this.#parts.account[kind](ask)
  }

  users<Kind extends keyof UserListCalls>(kind: Kind, ask: UserListCalls[Kind]['ask']) {
    return this.#parts.users[kind](ask)
  }

  memberships<Kind extends keyof MembershipCalls>(kind: Kind, ask: MembershipCalls[Kind]['ask']) {
    return this.#parts.memberships[kind](ask)
  }

  team<Kind extends keyof TeamObjectCalls>(kind: Kind, ask: TeamObjectCalls[Kind]['ask']) {
    return this.#parts.team.answer(kind, ask)
  }

  eraseMember(userId: string, email: string | null): Promise<void> {
    return this.#parts.team.erase(userId, email)
  }

  countMember(userId: string, email: string | null): TeamErasure {
    return this.#parts.team.tracesOf(userId, email)
  }

  teams<Kind extends keyof TeamListCalls>(kind: Kind, ask: TeamListCalls[Kind]['ask']) {
    return this.#parts.teams[kind](ask)
  }

  actorHere(actor: Actor): Actor | null {
    return this.#parts.team.isThere ? this.#parts.team.actorHere(actor) : null
  }

  budget<Kind extends keyof BudgetCalls>(kind: Kind, ask: BudgetCalls[Kind]['ask']) {
    return this.#parts.budget[kind](ask)
  }

  /** Returns which of these records exist. Called by another partition whose records refer to them. */
  holding(collection: string, ids: string[]): string[] {
    return this.#parts.own.holding(collection, ids)
  }

  /** Returns null when the partition does not have this release's manifest yet. */
  async addRecords(hash: string, call: AddCall): Promise<Added[] | Failure | null> {
    const { collection, records } = call
    const ops = records.map(({ id, fields }) => ({ op: 'create', collection, id, fields }))
    const known = await this.#parts.own.known(hash, ops)
    return this.#commits.take(() => this.#parts.own.addRecords(hash, call, known))
  }

  readRows(collection: string, ids: string[]): Row[] {
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

  /** While held, the object rejects changes. */
  hold(isHeld: boolean): void {
    this.#parts.hold.set(isHeld)
  }

  /** Deletes everything, before a project is moved here again after an attempt that failed. */
  wipe(): Promise<void> {
    return this.#parts.empty()
  }

  head(): PartitionHead {
    return this.#parts.head()
  }

  rows(after: RowPlace | null): RowPage {
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
    this.#parts.rooms.left(socket)
    // The codes 1005 and 1006 mean that no close code was received. They must not be sent.
    socket.close(code === 1005 || code === 1006 ? 1000 : code)
  }

  webSocketError(socket: ServerSocket): void {
    this.#parts.rooms.left(socket)
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

  files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']) {
    return this.#parts.files.answer(kind, ask)
  }

  takeFiles(files: FileRef[]): void {
    this.#parts.files.take(files)
  }

  /** Returns all partitions that were ever written to. */
  dirPartitions(): string[] {
    return this.#parts.dir.partitions()
  }

  dirPrepare(hash: string, manifest: Manifest): void {
    this.#parts.dir.prepare(hash, manifest, new Date().toISOString())
    this.#parts.reindex()
    this.#parts.migrations.start()
  }

  dirActivate(hash: string): void {
    this.#parts.dir.activate(hash)
    this.#parts.reindex()
    this.#parts.migrations.start()
  }

  dirActive(): { hash: string; manifest: Manifest } | null {
    return this.#parts.dir.active()
  }

  dirManifest(hash: string): Manifest | null {
    return this.#parts.dir.readManifest(hash)
  }

  /** A batch may arrive after its partition was erased. It is then dropped. */
  dirApply(partition: string, batch: Batch): void {
    if (this.#parts.isKnown(partition)) this.#parts.dir.apply(partition, batch)
  }

  dirForget(partition: string): void {
    this.#parts.dir.forget(partition)
  }

  dirCount(partition: string): number {
    return this.#parts.dir.count(partition)
  }

  dirTotals(): Record<string, { count: number; updatedAt: string }> {
    return this.#parts.dir.totals()
  }

  dirNewest(collection: string, limit: number): Found[] {
    return this.#parts.dir.newest(collection, limit)
  }

  dirPage(collection: string, query: ParsedQuery): FoundPage {
    return directoryPage(this.ctx.storage, collection, query)
  }

  dirHolds(collection: string, partition: string, id: string): boolean {
    return this.#parts.dir.holds(collection, partition, id)
  }

  dirSearch(collection: string, search: Search): Found[] {
    return this.#parts.dir.search(collection, search)
  }

  dirSpend(jti: string, expiresAt: number): boolean {
    return this.#parts.dir.spend(jti, expiresAt, Date.now())
  }
}
