import { DurableObject, type ObjectState, type ServerSocket } from 'cloudflare:workers'
import type { Found } from '../directory/frames.ts'
import { DirectoryStore, type Search } from '../directory/store.ts'
import { Files } from '../files/object.ts'
import type { FileRef, FilesAnswer, FilesCalls } from '../files/types.ts'
import { accountHandlers, type AccountCalls, userListHandlers, type UserListCalls } from '../auth/objects.ts'
import { type Actor, isUserId, type SessionToken } from '../kernel/actor.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { Hold } from '../kernel/hold.ts'
import { logError } from '../kernel/log.ts'
import { directoryOf, type Objects, placeOf, tierOf } from '../kernel/objects.ts'
import type { Batch, DataCall, DataText, Row } from './frames.ts'
import { Partition } from './partition.ts'
import { endSockets } from './sockets.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from './transfer.ts'
import { GroupCommit } from './group-commit.ts'

interface Env {
  OBJECTS: Objects
}

/**
 * The project's one object class. The name of an instance decides what it is: a partition holds records and
 * sockets, the directory (`dir...` methods) is the read model of all partitions. Tables are created by the
 * first call.
 */
export class AppObject extends DurableObject<Env> {
  #partition: Partition | null = null
  #directory: DirectoryStore | null = null
  #files: Files | null = null
  #accountOrNull: ReturnType<typeof accountHandlers> | null = null
  #users: ReturnType<typeof userListHandlers> | null = null
  readonly #hold: Hold
  readonly #commits = new GroupCommit()

  constructor(ctx: ObjectState, env: Env) {
    super(ctx, env)
    this.#hold = new Hold(ctx.storage)
    // The runtime itself replies, so keeping a connection alive never wakes the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  get #own(): Partition {
    this.#partition ??= new Partition(this.ctx, this.env, this.#hold, async (batch) => {
      const place = placeOf(this.ctx.id.name)
      if (place === null) throw new Error('this object is no partition')
      await directoryOf(this.env.OBJECTS, place.tier).dirApply(place.partition, batch)
    })
    return this.#partition
  }

  get #account() {
    this.#accountOrNull ??= accountHandlers(this.ctx.storage)
    return this.#accountOrNull
  }

  get #dir(): DirectoryStore {
    this.#directory ??= new DirectoryStore(this.ctx.storage)
    return this.#directory
  }

  prepare(hash: string, manifest: Manifest): void {
    this.#own.prepare(hash, manifest)
  }

  /** Null for a session that is not valid: nothing is stored for it. */
  async dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null> {
    const person = this.#account.person(session)
    return person === null ? null : await this.data(hash, person, call)
  }

  data(hash: string, actor: Actor, call: DataCall): DataText | Promise<DataText> {
    const isWrite = call.kind === 'write' || call.kind === 'mutate'
    const answer = () => this.#own.data(hash, actor, call)
    return isWrite ? this.#commits.take(answer) : answer()
  }

  fetch(request: Request): Response {
    return this.#own.fetch(request)
  }

  /** Ends the sockets of a person; their pages connect again with the rights they have then. */
  closeSockets(userId: string): void {
    endSockets(this.ctx, userId)
  }

  account<Kind extends keyof AccountCalls>(kind: Kind, ask: AccountCalls[Kind]['ask']) {
    return this.#account[kind](ask)
  }

  users<Kind extends keyof UserListCalls>(kind: Kind, ask: UserListCalls[Kind]['ask']) {
    this.#users ??= userListHandlers(this.ctx.storage, this.#hold)
    return this.#users[kind](ask)
  }

  readRows(collection: string, ids: string[]): Row[] {
    return this.#own.readRows(collection, ids)
  }

  disown(userId: string): Promise<number> {
    const count = this.#own.disown(userId)
    return this.#own.flush().then(() => count)
  }

  countRecords(): number {
    return this.#own.countRecords()
  }

  flush(): Promise<void> {
    return this.#own.flush()
  }

  /** Refuses changes from now on, or accepts them again. */
  hold(isHeld: boolean): void {
    this.#hold.set(isHeld)
  }

  /** Deletes everything: the left-overs of an attempt to move a project here. */
  async wipe(): Promise<void> {
    await this.ctx.storage.deleteAll()
    this.#partition = null
    this.#directory = null
    this.#files = null
    this.#accountOrNull = null
    this.#users = null
    this.#hold.set(false)
  }

  head(): PartitionHead {
    return { ...this.#own.head(), account: this.#account.dump(null) }
  }

  rows(after: RowPlace | null): RowPage {
    return this.#own.rows(after)
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    if (head.account) this.#account.restore(head.account)
    this.#own.takeHead(head, release)
  }

  takeRows(rows: StoredRow[]): Promise<void> {
    return this.#own.takeRows(rows)
  }

  webSocketMessage(socket: ServerSocket, message: string | ArrayBuffer): void {
    this.#own.message(socket, message)
  }

  webSocketClose(socket: ServerSocket, code: number): void {
    // 1005 and 1006 mean "no code was sent" and must not be sent themselves.
    socket.close(code === 1005 || code === 1006 ? 1000 : code)
  }

  async alarm(): Promise<void> {
    const { name } = this.ctx.id
    try {
      if (placeOf(name) !== null) await this.#own.wake()
      else this.#reindex()
    } catch (error) {
      // An alarm has no caller to report the error, and this worker keeps console output only, so log it
      // here.
      logError(error, { route: 'alarm', tier: tierOf(name) })
      throw error
    }
  }

  files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']): Promise<FilesAnswer<Kind>> {
    return this.#fileList.answer(kind, ask)
  }

  takeFiles(files: FileRef[]): void {
    this.#fileList.take(files)
  }

  get #fileList(): Files {
    this.#files ??= new Files(this.ctx.storage, this.env, this.#hold)
    return this.#files
  }

  /** Returns the partitions that were ever written to. */
  dirPartitions(): string[] {
    return this.#dir.partitions()
  }

  dirPrepare(hash: string, manifest: Manifest): void {
    this.#dir.prepare(hash, manifest, new Date().toISOString())
    this.#reindex()
  }

  dirActivate(hash: string): void {
    this.#dir.activate(hash)
    this.#reindex()
  }

  dirActive(): { hash: string; manifest: Manifest } | null {
    return this.#dir.active()
  }

  dirManifest(hash: string): Manifest | null {
    return this.#dir.readManifest(hash)
  }

  /** What a person's partition sent before it was erased may arrive after, and is dropped. */
  dirApply(partition: string, batch: Batch): void {
    const isKnown = !isUserId(partition) || this.users('find', { id: partition }) !== null
    if (isKnown) this.#dir.apply(partition, batch)
  }

  dirForget(partition: string): number {
    return this.#dir.forget(partition)
  }

  dirTotals(): Record<string, { count: number; updatedAt: string }> {
    return this.#dir.totals()
  }

  dirNewest(collection: string, limit: number): Found[] {
    return this.#dir.newest(collection, limit)
  }

  dirHolds(collection: string, partition: string, id: string): boolean {
    return this.#dir.holds(collection, partition, id)
  }

  dirSearch(collection: string, search: Search): Found[] {
    return this.#dir.search(collection, search)
  }

  dirSpend(jti: string, expiresAt: number): boolean {
    return this.#dir.spend(jti, expiresAt, Date.now())
  }

  /** Indexes a large collection again in slices, so that no call waits for all of it. */
  #reindex(): void {
    if (this.#dir.reindexSome()) void this.ctx.storage.setAlarm(Date.now())
  }
}
