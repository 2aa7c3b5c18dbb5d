import type { ObjectState } from 'cloudflare:workers'
import { isTeamId } from '../../kernel/access/actor.ts'
import { Alarms } from '../../kernel/objects/alarms.ts'
import { Hold } from '../../kernel/objects/hold.ts'
import { logError } from '../../kernel/objects/log.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import {
  isRoom,
  isSchedule,
  type Objects,
  type PartitionHead,
  parsePartitionName,
  type Tier,
  tierOf,
} from '../../kernel/objects/objects.ts'
import { PARTS, type ProvidedMember } from '../../object-parts.ts'
import type { PartContext } from '../../kernel/objects/part.ts'
import { ROOMS_COLLECTION } from '../../live/store.ts'
import type { LogEntry } from '../../data/partition/store.ts'
import type { RowPage, RowCursor, StoredRow } from '../../data/partition/transfer.ts'

export interface ObjectEnv {
  OBJECTS: Objects
}

const PART_MOVES = PARTS.flatMap(({ moves = {} }) => Object.entries(moves))

/** The members that one part provides and the code of the other parts uses. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class defines a getter for each of these members
export interface ObjectParts extends Pick<PartContext, ProvidedMember> {}

/**
 * The parts of a Durable Object: what each capability adds to it. Which of them an object uses depends on the object's name. A part is
 * created on first use.
 */
export class ObjectParts implements PartContext {
  readonly ctx: ObjectState
  readonly env: ObjectEnv
  readonly #createdParts = new Map<unknown, unknown>()
  readonly hold: Hold
  readonly alarms: Alarms

  static {
    for (const { members = {} } of PARTS)
      for (const [name, memberOf] of Object.entries(members))
        Object.defineProperty(this.prototype, name, {
          get(this: ObjectParts) {
            return memberOf(this)
          },
        })
  }

  constructor(ctx: ObjectState, env: ObjectEnv) {
    this.ctx = ctx
    this.env = env
    this.hold = new Hold(ctx.storage)
    this.alarms = new Alarms(ctx.storage)
  }

  async empty(): Promise<void> {
    // Wait for parts whose code an earlier call is still loading.
    await Promise.allSettled(this.#createdParts.values())
    await this.ctx.storage.deleteAll()
    this.#createdParts.clear()
    this.hold.set(false)
  }

  /**
   * Returns the part that `make` creates, and the same part at every later call. Parts whose code is loaded on
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

  /** Returns a function that logs an error, for work without a caller that could handle the error. */
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

  get isApp(): boolean {
    return this.partition === 'app'
  }

  get isTeam(): boolean {
    return isTeamId(this.partition)
  }

  /** Returns the alarm handlers of this object by the name of the alarm. */
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

  /**
   * Sends all pending changes to other Durable Objects: record changes first and team changes last, because sending the team changes of a
   * deleted team empties its object.
   */
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

  /** Called after a release was prepared or migrated in this object, and after copied rows were stored. */
  prepared(): void {
    for (const part of PARTS) part.prepared?.(this)
  }

  /** Returns what a move of the project to another cloud account must copy of this partition before its rows. A room has only rows. */
  head(): PartitionHead {
    if (this.isRoom) return { migrations: null }
    const head: PartitionHead = this.own.head()
    for (const [key, moved] of PART_MOVES) Object.assign(head, { [key]: moved(this)?.dump(null) ?? null })
    return head
  }

  takeHead(
    this: ObjectParts,
    head: PartitionHead,
    release: { hash: string; manifest: Manifest } | null,
  ): void {
    if (this.isRoom) return
    this.own.takeHead(head, release)
    for (const [key, moved] of PART_MOVES) {
      const dump: unknown = Reflect.get(head, key)
      if (dump) moved(this)?.restore(dump)
    }
  }

  /**
   * Returns a page of the rows of records and, after those, of rooms. A copy reads both as one sequence of pages, so this method
   * is defined here and not in the individual parts.
   */
  rows(after: RowCursor | null): RowPage {
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

  get isRoom(): boolean {
    return isRoom(this.ctx.id.name)
  }
}
