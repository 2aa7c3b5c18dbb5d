import type { ObjectState } from 'cloudflare:workers'
import { embed } from '../ai/rpc.ts'
import { ObjectVectors } from '../ai/vectors.ts'
import { accountHandlers, userListHandlers } from '../auth/objects.ts'
import { ObjectConnections } from '../connect/object.ts'
import { type DailySalt, EventSalts } from '../events/salts.ts'
import { budgetHandlers } from '../directory/budget.ts'
import { MigrationSweep } from '../directory/migration-sweep.ts'
import { DirectoryStore } from '../directory/store.ts'
import { ObjectInbox } from '../email/inbox.ts'
import type { ObjectMail } from '../email/object.ts'
import { Files } from '../files/object.ts'
import { ObjectHooks } from '../hook/object.ts'
import { type Actor, isTeamId, isUserId } from '../kernel/actor.ts'
import { Alarms } from '../kernel/alarms.ts'
import { notSignedIn, valueIn } from '../kernel/errors.ts'
import { Hold } from '../kernel/hold.ts'
import { logError } from '../kernel/log.ts'
import type { Manifest } from '../kernel/manifest.ts'
import {
  accountOf,
  directoryOf,
  filesOf,
  isRoom,
  isSchedule,
  type Objects,
  partitionOf,
  placeOf,
  placeOfRoom,
  tierOf,
} from '../kernel/objects.ts'
import { ObjectRooms, ROOMS_OF_PERSON_MAX } from '../live/rooms.ts'
import { indexRoom } from '../live/room-index.ts'
import { ROOMS } from '../live/store.ts'
import { liveSettingsOf } from '../live/settings.ts'
import { meterListHandlers, ObjectMeters } from '../meter/objects.ts'
import { grantHandlers } from '../pay/grants.ts'
import type { ObjectOrders } from '../pay/object.ts'
import { ObjectPush } from '../push/object.ts'
import { pushOwnerHandlers } from '../push/owners.ts'
import { jobKeyHandlers } from '../queue/objects.ts'
import type { ScheduleRunner } from '../schedule/runner.ts'
import { TimerRunner } from '../schedule/timer-runner.ts'
import { teamListHandlers } from '../team/list.ts'
import { membershipHandlers } from '../team/memberships.ts'
import { ObjectTeam } from '../team/object.ts'
import type { ObjectVideos } from '../video/object.ts'
import type { WriteOp } from './frames.ts'
import type * as LaterParts from './lazy-parts.ts'
import { Partition } from './partition.ts'
import { endSockets } from './sockets.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from './transfer.ts'

export interface ObjectEnv {
  OBJECTS: Objects
}

/** What an instance of the object class is made of, by its name; each part is made when it is first needed. */
export class ObjectParts {
  readonly #ctx: ObjectState
  readonly #env: ObjectEnv
  readonly #made = new Map<string, unknown>()
  readonly hold: Hold
  readonly alarms: Alarms

  constructor(ctx: ObjectState, env: ObjectEnv) {
    this.#ctx = ctx
    this.#env = env
    this.hold = new Hold(ctx.storage)
    this.alarms = new Alarms(ctx.storage)
  }

  async empty(): Promise<void> {
    // Waits for earlier calls that are still loading their code.
    await Promise.allSettled(this.#made.values())
    await this.#ctx.storage.deleteAll()
    this.#made.clear()
    this.alarms.reset()
    this.hold.set(false)
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make())
    return this.#made.get(name) as T
  }

  /** For a part whose code is loaded on first use. A load that failed is tried again by the next call. */
  #loaded<T>(name: string, make: (code: typeof LaterParts) => T): Promise<T> {
    return this.#once(name, async () => {
      try {
        return make(await import('./lazy-parts.ts'))
      } catch (error) {
        this.#made.delete(name)
        throw error
      }
    })
  }

  get own(): Partition {
    return this.#once('records', () => this.#makePartition())
  }

  #makePartition(): Partition {
    const [ctx, env] = [this.#ctx, this.#env]
    const parts = { ctx, env, hold: this.hold, alarms: this.alarms }
    const { OBJECTS } = env
    const own = () => {
      const place = placeOf(this.#ctx.id.name)
      if (place === null) throw new Error('this object is no partition')
      return place
    }
    return new Partition(parts, {
      send: (batch) => directoryOf(OBJECTS, own().tier).dirApply(own().partition, batch),
      askApp: (collection, ids) => partitionOf(OBJECTS, own().tier, 'app').holding(collection, ids),
      callFiles: async (ids) => {
        return valueIn(await filesOf(OBJECTS, own().tier).files('owners', { ids }))
      },
      ...(this.isTeam && { actorHere: (actor: Actor) => this.team.actorHere(actor) }),
      vectors: this.vectors,
      changed: (log) => {
        this.vectors.see(new Set(log.map(({ collection }) => collection)))
        if (this.isApp) this.hooks.see(log)
      },
    })
  }

  get vectors(): ObjectVectors {
    const { tier } = placeOf(this.#ctx.id.name) ?? {}
    return this.#once(
      'vectors',
      () =>
        new ObjectVectors({
          storage: this.#ctx.storage,
          alarms: this.alarms,
          manifest: () => this.own.manifest(null),
          embed: (texts) => embed({ objects: this.#env.OBJECTS, env: this.#env }, texts),
          report: (error) => logError(error, { route: 'vectors', tier }),
        }),
    )
  }

  get #runnerParts() {
    const [ctx, env] = [this.#ctx, this.#env]
    const tier = tierOf(ctx.id.name) ?? 'production'
    return { ctx, env, tier, hold: this.hold, alarms: this.alarms }
  }

  schedules(): Promise<ScheduleRunner> {
    return this.#loaded('schedules', ({ ScheduleRunner }) => new ScheduleRunner(this.#runnerParts))
  }

  get timers(): TimerRunner {
    return this.#once(
      'timers',
      () => new TimerRunner(this.#runnerParts, placeOf(this.#ctx.id.name)?.partition ?? ''),
    )
  }

  get push(): ObjectPush {
    const { tier, partition: userId } = placeOf(this.#ctx.id.name) ?? { tier: 'production', partition: '' }
    return this.#once(
      'push',
      () =>
        new ObjectPush(this.#runnerParts, (id) =>
          directoryOf(this.#env.OBJECTS, tier).pushOwners('release', { userId, id }),
        ),
    )
  }

  get pushOwners() {
    return this.#once('push owners', () =>
      pushOwnerHandlers(this.#ctx.storage, (userId) => this.isKnown(userId)),
    )
  }

  get isApp(): boolean {
    return placeOf(this.#ctx.id.name)?.partition === 'app'
  }

  get hooks(): ObjectHooks {
    return this.#once('hooks', () => new ObjectHooks(this.#runnerParts, this.#appRecords))
  }

  get #appRecords() {
    return {
      manifest: (hash: string | null) => this.own.manifest(hash),
      write: (manifest: Manifest, ops: WriteOp[]) => this.own.writeAsApp(manifest, ops),
      read: (collection: string, id: string) => this.own.fieldsOf(collection, id),
    }
  }

  get inbox(): ObjectInbox {
    return this.#once('inbox', () => new ObjectInbox(this.#runnerParts, this.#appRecords, this.#env.OBJECTS))
  }

  mail(): Promise<ObjectMail> {
    return this.#loaded(
      'mail',
      ({ ObjectMail }) => new ObjectMail(this.#runnerParts, () => this.dir.active()?.manifest.name ?? ''),
    )
  }

  orders(): Promise<ObjectOrders> {
    return this.#loaded(
      'orders',
      ({ ObjectOrders }) => new ObjectOrders(this.#runnerParts, (id) => this.users.find({ id }) !== null),
    )
  }

  get grants() {
    return this.#once('grants', () =>
      grantHandlers(this.#ctx.storage, () => this.account.read(null) !== null),
    )
  }

  get account() {
    return this.#once('account', () => accountHandlers(this.#ctx.storage))
  }

  get connections(): ObjectConnections {
    const { tier = 'production', partition: userId = '' } = placeOf(this.#ctx.id.name) ?? {}
    const { storage } = this.#ctx
    const exists = () => this.account.read(null) !== null
    const note = (broken: string[]) =>
      directoryOf(this.#env.OBJECTS, tier).users('change', { id: userId, broken })
    const parts = { storage, env: this.#env, tier, userId, hold: this.hold, exists, note }
    return this.#once('connections', () => new ObjectConnections(parts))
  }

  get memberships() {
    return this.#once('memberships', () =>
      membershipHandlers(this.#ctx.storage, () => this.account.read(null) !== null),
    )
  }

  get isTeam(): boolean {
    return isTeamId(placeOf(this.#ctx.id.name)?.partition ?? '')
  }

  /** False when the person or team of this partition does not exist; the app always does. */
  get isKept(): boolean {
    if (this.isTeam) return this.team.isThere
    return !isUserId(placeOf(this.#ctx.id.name)?.partition ?? '') || this.account.read(null) !== null
  }

  get team(): ObjectTeam {
    return this.#once('team', () => this.#makeTeam())
  }

  #makeTeam(): ObjectTeam {
    const { tier, partition } = placeOf(this.#ctx.id.name) ?? { tier: 'production', partition: '' }
    const { OBJECTS } = this.#env
    return new ObjectTeam({
      ctx: this.#ctx,
      hold: this.hold,
      endSockets: (userId) => this.endSockets(userId),
      wake: () => this.own.requestFlush(),
      report: (error) => logError(error, { route: 'team', tier }),
      tell: ({ user, isMember, rev }, isGone) =>
        accountOf(OBJECTS, tier, user).memberships('told', { team: partition, isMember, rev, isGone }),
      send: (copy) => directoryOf(OBJECTS, tier).teams('apply', copy),
      finish: async () => {
        const directory = directoryOf(OBJECTS, tier)
        // First, so that records still under way to the directory are dropped.
        await directory.teams('remove', { id: partition })
        await directory.dirForget(partition)
        await directory.meters('forget', { subject: partition })
        await this.empty()
      },
    })
  }

  get dir(): DirectoryStore {
    return this.#once('directory', () => new DirectoryStore(this.#ctx.storage))
  }

  get meters(): ObjectMeters {
    const place = placeOf(this.#ctx.id.name)
    return this.#once(
      'meters',
      () =>
        new ObjectMeters({
          ctx: this.#ctx,
          hold: this.hold,
          exists: () => this.isKept,
          wake: () => this.own.requestFlush(),
          report: (error) => logError(error, { route: 'meter', tier: place?.tier }),
          send: async (counters) => {
            if (place === null) throw new Error('this object is no partition')
            const { tier, partition: subject } = place
            await directoryOf(this.#env.OBJECTS, tier).meters('apply', { subject, counters })
          },
        }),
    )
  }

  get files(): Files {
    return this.#once('files', () => new Files(this.#ctx.storage, this.#env, this.hold))
  }

  get migrations(): MigrationSweep {
    const tier = tierOf(this.#ctx.id.name) ?? 'production'
    return this.#once(
      'migrations',
      () =>
        new MigrationSweep({
          backlog: this.dir.backlog,
          alarms: this.alarms,
          hold: this.hold,
          migrate: (partition, hash, manifest) =>
            partitionOf(this.#env.OBJECTS, tier, partition).migrate(hash, manifest),
          report: (error) => logError(error, { route: 'migrations', tier }),
        }),
    )
  }

  /** Today's salt, which tells the visitors of one day apart. */
  eventSalt(): DailySalt {
    const salt = this.#salts.of(Date.now())
    this.#expireSalts()
    return salt
  }

  get #salts(): EventSalts {
    return this.#once('salts', () => new EventSalts(this.#ctx.storage))
  }

  #expireSalts(): void {
    const at = this.#salts.expire(Date.now())
    if (at !== null) this.alarms.set('salts', at)
  }

  /** Indexes a large collection again in slices, so that no call waits for all of it. */
  reindex(): void {
    if (this.dir.reindexSome()) this.alarms.set('reindex', Date.now())
  }

  /** The handlers of the alarms that an object of this name may have. */
  wakers(name: string | undefined) {
    if (this.isRoom) return {}
    if (isSchedule(name)) return { schedule: async () => (await this.schedules()).wake() }
    if (placeOf(name) === null)
      return {
        reindex: () => this.reindex(),
        migrations: () => this.migrations.wake(),
        mail: async () => (await this.mail()).wake(),
        paid: async () => (await this.orders()).wake(),
        salts: () => this.#expireSalts(),
        videos: async () => (await this.videos()).wake(),
      }
    return {
      outbox: async () => {
        // A team that does not exist any more has nothing left to send.
        if (this.isTeam && !this.team.isKept) return
        await this.own.wake()
        await this.meters.flush()
        if (this.isTeam) await this.team.flush()
      },
      timers: () => this.timers.wake(),
      push: () => this.push.wake(),
      hooks: () => this.hooks.wake(),
      inbox: () => this.inbox.wake(),
      vectors: () => this.vectors.wake(),
    }
  }

  isKnown(partition: string): boolean {
    if (isTeamId(partition)) return this.teams.known({ id: partition })
    return !isUserId(partition) || this.users.find({ id: partition }) !== null
  }

  get users() {
    return this.#once('people', () => userListHandlers(this.#ctx.storage, this.hold))
  }

  get teams() {
    return this.#once('team list', () => teamListHandlers(this.#ctx.storage, () => this.hold.isHeld))
  }

  videos(): Promise<ObjectVideos> {
    const { tier } = this.#runnerParts
    return this.#loaded(
      'videos',
      ({ ObjectVideos }) =>
        new ObjectVideos(this.#runnerParts, {
          // In production the directory is this object itself.
          budget: (kind, ask) =>
            tier === 'production'
              ? this.budget[kind](ask)
              : directoryOf(this.#env.OBJECTS, 'production').budget(kind, ask),
          isThere: (id) => this.users.find({ id }) !== null,
          report: (error) => logError(error, { route: 'video', tier }),
        }),
    )
  }

  get meterList() {
    return this.#once('meter list', () =>
      meterListHandlers(this.#ctx.storage, (subject) => this.isKnown(subject)),
    )
  }

  get budget() {
    return this.#once('budget', () => budgetHandlers(this.#ctx.storage))
  }

  get jobKeys() {
    return this.#once('job keys', () => jobKeyHandlers(this.#ctx.storage, this.hold))
  }

  /** What a move must bring before the rows. A room has only rows. */
  head(): PartitionHead {
    if (this.isRoom) return { migrations: null }
    return {
      ...this.own.head(),
      rooms: this.rooms.store.noted(),
      account: this.account.dump(null),
      connections: this.connections.dump(),
      meters: this.meters.dump(),
      timers: this.timers.dump(),
      push: this.push.dump(),
      hooks: this.isApp ? this.hooks.dump() : null,
      inbox: this.isApp ? this.inbox.dump() : null,
      team: this.isTeam ? this.team.dump() : null,
      memberships: this.memberships.dump(null),
    }
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    if (this.isRoom) return
    if (head.account) this.account.restore(head.account)
    this.own.takeHead(head, release)
    if (head.connections) this.connections.restore(head.connections)
    if (head.meters) this.meters.restore(head.meters)
    if (head.timers) this.timers.restore(head.timers)
    if (head.push) this.push.restore(head.push)
    if (head.hooks) this.hooks.restore(head.hooks)
    if (head.inbox) this.inbox.restore(head.inbox)
    if (head.memberships) this.memberships.restore(head.memberships)
    if (head.team) this.team.restore(head.team)
    for (const room of head.rooms ?? []) this.rooms.store.note(room, null)
  }

  /** First the rows of records, then those of rooms. */
  rows(after: RowPlace | null): RowPage {
    if (!this.isRoom && after?.collection !== ROOMS) {
      const page = this.own.rows(after)
      if (page.next !== null || !this.rooms.store.isUsed) return page
      return { rows: page.rows, next: { collection: ROOMS, id: '' } }
    }
    const { rows, next } = this.rooms.store.rows(after?.id ?? '')
    return { rows, next: next === null ? null : { collection: ROOMS, id: next } }
  }

  async takeRows(rows: StoredRow[]): Promise<void> {
    const isOfRoom = ({ collection }: StoredRow) => collection === ROOMS
    const ofRooms = rows.filter(isOfRoom)
    if (ofRooms.length > 0) this.rooms.store.take(ofRooms)
    if (ofRooms.length < rows.length) await this.own.takeRows(rows.filter((row) => !isOfRoom(row)))
    this.vectors.prepared()
  }

  /** Without `userId`: every socket. */
  endSockets(userId?: string): void {
    this.rooms.closing(userId)
    endSockets(this.#ctx, userId)
  }

  get isRoom(): boolean {
    return isRoom(this.#ctx.id.name)
  }

  get rooms(): ObjectRooms {
    return this.#once('rooms', () => {
      const { name } = this.#ctx.id
      const tier = tierOf(name) ?? 'production'
      const directory = directoryOf(this.#env.OBJECTS, tier)
      return new ObjectRooms({
        ctx: this.#ctx,
        hold: this.hold,
        maxPeers: liveSettingsOf(this.#env).maxPeers,
        env: this.#env,
        announce: this.isRoom ? (room) => indexRoom(directory, room) : null,
        noteCall: (call, isOn) => {
          const place = placeOf(name)?.partition ?? placeOfRoom(call.room)
          return directory.rooms('callsAt', { calls: [{ place, ...call }], isOn })
        },
        notedMax: placeOf(name) === null ? null : ROOMS_OF_PERSON_MAX,
        requireNoting: () => {
          if (placeOf(name) === null) this.hold.require()
          else if (!this.isKept) throw notSignedIn()
        },
      })
    })
  }
}
