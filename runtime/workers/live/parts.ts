import type { ObjectState } from 'cloudflare:workers'
import { vectors } from '../../ai/part.ts'
import type { UserListCalls } from '../../auth/objects.ts'
import { createAccountHandlers, createUserListHandlers } from '../../auth/part.ts'
import type { BudgetCalls } from '../../directory/budget.ts'
import { createBudget, createDirectory } from '../../directory/part.ts'
import type { DirectoryStore } from '../../directory/store.ts'
import { type Actor, isTeamId, isUserId } from '../../kernel/actor.ts'
import { Alarms } from '../../kernel/alarms.ts'
import { valueIn } from '../../kernel/errors.ts'
import type { HandlersOf } from '../../kernel/calls.ts'
import { Hold } from '../../kernel/hold.ts'
import { logError } from '../../kernel/log.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import {
  directoryOf,
  filesOf,
  isRoom,
  isSchedule,
  type Objects,
  type PartitionHead,
  partitionOf,
  parsePartitionName,
  type Tier,
  tierOf,
} from '../../kernel/objects.ts'
import { PARTS } from '../../object-parts.ts'
import type { PartPlace } from '../../kernel/part.ts'
import { createRooms } from '../../live/part.ts'
import type { ObjectRooms } from '../../live/rooms.ts'
import { ROOMS_COLLECTION } from '../../live/store.ts'
import type { LogEntry } from '../../data/store.ts'
import type { ObjectTeam } from '../../team/object.ts'
import { createTeam, createTeamList } from '../../team/part.ts'
import type { WriteOp } from '../../data/frames.ts'
import { Partition } from '../../data/partition.ts'
import { endSockets } from '../../data/sockets.ts'
import type { RowPage, RowPlace, StoredRow } from '../../data/transfer.ts'

export interface ObjectEnv {
  OBJECTS: Objects
}

const PART_MOVES = PARTS.flatMap(({ moves = {} }) => Object.entries(moves))

/** The parts of a Durable Object. The object's name decides which it uses; each is created on first use. */
export class ObjectParts implements PartPlace {
  readonly ctx: ObjectState
  readonly env: ObjectEnv
  readonly #createdParts = new Map<unknown, unknown>()
  readonly hold: Hold
  readonly alarms: Alarms

  constructor(ctx: ObjectState, env: ObjectEnv) {
    this.ctx = ctx
    this.env = env
    this.hold = new Hold(ctx.storage)
    this.alarms = new Alarms(ctx.storage)
  }

  async empty(): Promise<void> {
    // Wait for earlier calls that are still loading their code.
    await Promise.allSettled(this.#createdParts.values())
    await this.ctx.storage.deleteAll()
    this.#createdParts.clear()
    this.hold.set(false)
  }

  /**
   * Returns the part that `make` creates, and the same one at every later call. Parts whose code is loaded on
   * first use are promises. If loading fails, the next call tries again.
   */
  once<T>(make: (parts: ObjectParts) => T): T {
    if (this.#createdParts.has(make)) return this.#createdParts.get(make) as T
    const made = make(this)
    this.#createdParts.set(make, made)
    if (made instanceof Promise) made.catch(() => this.#createdParts.delete(make))
    return made
  }

  load() {
    return import('./lazy-parts.ts')
  }

  /** Returns a function that logs an error, for work that has no caller to return it to. */
  reporter(route: string) {
    const { tier } = this
    return (error: unknown) => logError(error, { route, tier })
  }

  get tier(): Tier {
    return tierOf(this.ctx.id.name) ?? 'production'
  }

  /** `app`, or the id of a person or team. Empty when the object is not a partition. */
  get partition(): string {
    return parsePartitionName(this.ctx.id.name)?.partition ?? ''
  }

  get own(): Partition {
    return this.once(createPartition)
  }

  get isApp(): boolean {
    return this.partition === 'app'
  }

  get appRecords() {
    return {
      manifest: (hash: string | null) => this.own.manifest(hash),
      write: (manifest: Manifest, ops: WriteOp[]) => this.own.writeAsApp(manifest, ops),
      read: (collection: string, id: string) => this.own.fieldsOf(collection, id),
    }
  }

  get account() {
    return this.once(createAccountHandlers)
  }

  /** True when this object belongs to a person who has an account. */
  get isPerson(): boolean {
    return this.account.read(null) !== null
  }

  get isTeam(): boolean {
    return isTeamId(this.partition)
  }

  /** False when the person or team of this partition does not exist. Always true for the app. */
  get isKept(): boolean {
    if (this.isTeam) return this.team.isThere
    return !isUserId(this.partition) || this.isPerson
  }

  get team(): ObjectTeam {
    return this.once(createTeam)
  }

  get dir(): DirectoryStore {
    return this.once(createDirectory)
  }

  /** The alarm handlers of this object by kind. */
  wakers(): Record<string, () => unknown> {
    const { name } = this.ctx.id
    if (this.isRoom) return {}
    const on = isSchedule(name) ? 'schedule' : this.partition === '' ? 'directory' : 'partition'
    const wakers: Record<string, () => unknown> = {}
    if (on === 'partition') wakers['outbox'] = () => this.#flushParts()
    for (const { wake } of PARTS)
      for (const [kind, call] of Object.entries(wake?.[on] ?? {})) wakers[kind] = () => call(this)
    return wakers
  }

  async #flushParts(): Promise<void> {
    // A deleted team has nothing left to send.
    if (this.isTeam && !this.team.isKept) return
    await this.own.wake()
    for (const part of PARTS) await part.flush?.(this)
    if (this.isTeam) await this.team.flush()
  }

  /** Called synchronously after records were written. */
  changed(log: readonly LogEntry[]): void {
    for (const part of PARTS) part.changed?.(this, log)
  }

  /** Called when a new release was prepared. */
  prepared(): void {
    for (const part of PARTS) part.prepared?.(this)
  }

  isKnown(partition: string): boolean {
    if (isTeamId(partition)) return this.once(createTeamList).known({ id: partition })
    return !isUserId(partition) || this.users.find({ id: partition }) !== null
  }

  get users(): HandlersOf<UserListCalls> {
    return this.once(createUserListHandlers)
  }

  get budget(): HandlersOf<BudgetCalls> {
    return this.once(createBudget)
  }

  /**
   * Returns everything except rows that a partition needs when its project moves to another cloud account. It
   * is copied before the rows. A room has only rows.
   */
  head(): PartitionHead {
    if (this.isRoom) return { migrations: null }
    const head: PartitionHead = this.own.head()
    for (const [key, moved] of PART_MOVES) Object.assign(head, { [key]: moved(this)?.dump(null) ?? null })
    return head
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    if (this.isRoom) return
    this.own.takeHead(head, release)
    for (const [key, moved] of PART_MOVES) {
      const dump: unknown = Reflect.get(head, key)
      if (dump) moved(this)?.restore(dump)
    }
  }

  /** Returns the rows of records first, then those of rooms. */
  rows(after: RowPlace | null): RowPage {
    if (!this.isRoom && after?.collection !== ROOMS_COLLECTION) {
      const page = this.own.rows(after)
      if (page.next !== null || !this.rooms.store.isUsed) return page
      return { rows: page.rows, next: { collection: ROOMS_COLLECTION, id: '' } }
    }
    const { rows, next } = this.rooms.store.rows(after?.id ?? '')
    return { rows, next: next === null ? null : { collection: ROOMS_COLLECTION, id: next } }
  }

  async takeRows(rows: StoredRow[]): Promise<void> {
    const isOfRoom = ({ collection }: StoredRow) => collection === ROOMS_COLLECTION
    const ofRooms = rows.filter(isOfRoom)
    if (ofRooms.length > 0) this.rooms.store.take(ofRooms)
    if (ofRooms.length < rows.length) await this.own.takeRows(rows.filter((row) => !isOfRoom(row)))
    this.prepared()
  }

  /** Closes the sockets of a person; without `userId`, all sockets. */
  endSockets(userId?: string): void {
    this.rooms.closing(userId)
    endSockets(this.ctx, userId)
  }

  get isRoom(): boolean {
    return isRoom(this.ctx.id.name)
  }

  get rooms(): ObjectRooms {
    return this.once(createRooms)
  }
}

function createPartition(parts: ObjectParts): Partition {
  const { env, tier, partition } = parts
  return new Partition(parts, {
    send: (batch) => directoryOf(env.OBJECTS, tier).dirApply(partition, batch),
    askApp: (collection, ids) => partitionOf(env.OBJECTS, tier, 'app').holding(collection, ids),
    callFiles: async (ids) => valueIn(await filesOf(env.OBJECTS, tier).files('owners', { ids })),
    ...(parts.isTeam && { actorHere: (actor: Actor) => parts.team.actorHere(actor) }),
    vectors: parts.once(vectors),
    changed: (log) => parts.changed(log),
  })
}
