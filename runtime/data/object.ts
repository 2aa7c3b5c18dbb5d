import { DurableObject, type ObjectState, type ServerSocket } from 'cloudflare:workers'
import type { Found } from '../directory/frames.ts'
import { directoryPage, type FoundPage } from '../directory/page.ts'
import { MigrationSweep } from '../directory/migration-sweep.ts'
import { DirectoryStore, type Search } from '../directory/store.ts'
import { Files } from '../files/object.ts'
import type { FileRef, FilesAnswer, FilesCalls } from '../files/types.ts'
import { accountHandlers, type AccountCalls, userListHandlers, type UserListCalls } from '../auth/objects.ts'
import type { InboxAnswer, InboxCalls, MailObjectAnswer, MailObjectCalls } from '../email/calls.ts'
import { ObjectInbox } from '../email/inbox.ts'
import { ObjectMail } from '../email/object.ts'
import { ObjectHooks } from '../hook/object.ts'
import type { HookObjectAnswer, HookObjectCalls } from '../hook/types.ts'
import { type CounterCalls, meterListHandlers, type MeterListCalls, ObjectMeters } from '../meter/objects.ts'
import { ObjectPush } from '../push/object.ts'
import { pushOwnerHandlers } from '../push/owners.ts'
import type { PushObjectAnswer, PushObjectCalls, PushOwnerCalls } from '../push/types.ts'
import { ScheduleRunner } from '../schedule/runner.ts'
import { TimerRunner } from '../schedule/timer-runner.ts'
import type { ScheduledJob, ScheduleSpec, TimerAnswer, TimerCalls } from '../schedule/types.ts'
import { type MembershipCalls, membershipHandlers } from '../team/memberships.ts'
import { type TeamListCalls, teamListHandlers } from '../team/list.ts'
import { ObjectTeam, type TeamErasure, type TeamObjectAnswer, type TeamObjectCalls } from '../team/object.ts'
import { type Actor, isTeamId, isUserId, type SessionToken } from '../kernel/actor.ts'
import { Alarms } from '../kernel/alarms.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { Hold } from '../kernel/hold.ts'
import { logError } from '../kernel/log.ts'
import {
  accountOf,
  directoryOf,
  isSchedule,
  type Objects,
  partitionOf,
  placeOf,
  tierOf,
} from '../kernel/objects.ts'
import { jobKeyHandlers, type JobKeyCalls } from '../queue/objects.ts'
import type { AddCall, Added } from './add.ts'
import type { Batch, DataCall, DataText, Row, WriteOp } from './frames.ts'
import { Partition } from './partition.ts'
import type { ParsedQuery } from './query.ts'
import type { Known } from './refs.ts'
import { endSockets } from './sockets.ts'
import type { LogEntry } from './store.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from './transfer.ts'
import { GroupCommit } from './group-commit.ts'

const NO_PARTITION: DataText = JSON.stringify({
  ok: false,
  error: { code: 'not_found', message: 'There is no such partition.' },
})

interface Env {
  OBJECTS: Objects
}

/**
 * The project's one object class. The name of an instance decides what it is: a partition holds records and
 * sockets, the directory (`dir...` methods) is the read model of all partitions. Tables are created by the
 * first call.
 */
export class AppObject extends DurableObject<Env> {
  /** What this instance is made of, by name, each made when it is first needed. */
  readonly #made = new Map<string, unknown>()
  readonly #hold: Hold
  readonly #alarms: Alarms
  readonly #commits = new GroupCommit()

  constructor(ctx: ObjectState, env: Env) {
    super(ctx, env)
    this.#hold = new Hold(ctx.storage)
    this.#alarms = new Alarms(ctx.storage)
    // The runtime itself replies, so keeping a connection alive never wakes the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make())
    return this.#made.get(name) as T
  }

  get #own(): Partition {
    return this.#once('records', () => this.#makePartition())
  }

  #makePartition(): Partition {
    const { ctx, env } = this
    const parts = { ctx, env, hold: this.#hold, alarms: this.#alarms }
    const { OBJECTS } = env
    const own = () => {
      const place = placeOf(this.ctx.id.name)
      if (place === null) throw new Error('this object is no partition')
      return place
    }
    return new Partition(parts, {
      send: (batch) => directoryOf(OBJECTS, own().tier).dirApply(own().partition, batch),
      askApp: (collection, ids) => partitionOf(OBJECTS, own().tier, 'app').holding(collection, ids),
      ...(this.#isTeam && { actorHere: (actor: Actor) => this.#team.actorHere(actor) }),
      ...(this.#isApp && { changed: (log: readonly LogEntry[]) => this.#hooks.see(log) }),
    })
  }

  get #runnerParts() {
    const { ctx, env } = this
    const tier = tierOf(ctx.id.name) ?? 'production'
    return { ctx, env, tier, hold: this.#hold, alarms: this.#alarms }
  }

  get #schedules(): ScheduleRunner {
    return this.#once('schedules', () => new ScheduleRunner(this.#runnerParts))
  }

  get #timers(): TimerRunner {
    return this.#once(
      'timers',
      () => new TimerRunner(this.#runnerParts, placeOf(this.ctx.id.name)?.partition ?? ''),
    )
  }

  get #push(): ObjectPush {
    const { tier, partition: userId } = placeOf(this.ctx.id.name) ?? { tier: 'production', partition: '' }
    return this.#once(
      'push',
      () =>
        new ObjectPush(this.#runnerParts, (id) =>
          directoryOf(this.env.OBJECTS, tier).pushOwners('release', { userId, id }),
        ),
    )
  }

  get #isApp(): boolean {
    return placeOf(this.ctx.id.name)?.partition === 'app'
  }

  get #hooks(): ObjectHooks {
    return this.#once('hooks', () => new ObjectHooks(this.#runnerParts, this.#appRecords))
  }

  /** The records of the app, as capabilities write them. */
  get #appRecords() {
    return {
      manifest: (hash: string | null) => this.#own.manifest(hash),
      write: (manifest: Manifest, ops: WriteOp[]) => this.#own.writeAsApp(manifest, ops),
      read: (collection: string, id: string) => this.#own.fieldsOf(collection, id),
    }
  }

  get #inbox(): ObjectInbox {
    return this.#once('inbox', () => new ObjectInbox(this.#runnerParts, this.#appRecords, this.env.OBJECTS))
  }

  get #mail(): ObjectMail {
    return this.#once(
      'mail',
      () => new ObjectMail(this.#runnerParts, () => this.#dir.active()?.manifest.name ?? ''),
    )
  }

  get #account() {
    return this.#once('account', () => accountHandlers(this.ctx.storage))
  }

  get #memberships() {
    return this.#once('memberships', () =>
      membershipHandlers(this.ctx.storage, () => this.#account.read(null) !== null),
    )
  }

  get #isTeam(): boolean {
    return isTeamId(placeOf(this.ctx.id.name)?.partition ?? '')
  }

  /** Whether the person or team of this partition is there; the app always is. */
  get #isKept(): boolean {
    if (this.#isTeam) return this.#team.isThere
    return !isUserId(placeOf(this.ctx.id.name)?.partition ?? '') || this.#account.read(null) !== null
  }

  get #team(): ObjectTeam {
    return this.#once('team', () => this.#makeTeam())
  }

  #makeTeam(): ObjectTeam {
    const { tier, partition } = placeOf(this.ctx.id.name) ?? { tier: 'production', partition: '' }
    const { OBJECTS } = this.env
    return new ObjectTeam({
      ctx: this.ctx,
      hold: this.#hold,
      wake: () => this.#own.poke(),
      report: (error) => logError(error, { route: 'team', tier }),
      tell: ({ user, isMember, rev }, isGone) =>
        accountOf(OBJECTS, tier, user).memberships('told', { team: partition, isMember, rev, isGone }),
      send: (copy) => directoryOf(OBJECTS, tier).teams('apply', copy),
      finish: async () => {
        const directory = directoryOf(OBJECTS, tier)
        // First, so that records which are still under way are dropped.
        await directory.teams('remove', { id: partition })
        await directory.dirForget(partition)
        await directory.meters('forget', { subject: partition })
        await this.wipe()
      },
    })
  }

  get #dir(): DirectoryStore {
    return this.#once('directory', () => new DirectoryStore(this.ctx.storage))
  }

  prepare(hash: string, manifest: Manifest): void {
    this.#own.prepare(hash, manifest)
    if (this.#isApp) this.#hooks.forgetRelease()
  }

  /** A person or team that is gone has nothing to migrate, and nothing is stored for it. */
  async migrate(hash: string, manifest: Manifest): Promise<string[] | null> {
    if (!this.#isKept) return manifest.migrations.map(({ id }) => id)
    const applied = this.#own.migrate(hash, manifest)
    if (this.#isApp) this.#hooks.forgetRelease()
    await this.#own.flush()
    return applied
  }

  /** Null for a session that is not valid: nothing is stored for it. */
  async dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null> {
    const person = this.#account.person(session)
    return person === null ? null : await this.data(hash, person, call)
  }

  data(hash: string, actor: Actor, call: DataCall): DataText | Promise<DataText> {
    if (this.#isTeam && !this.#team.isThere) return NO_PARTITION
    const isWrite = call.kind === 'write' || call.kind === 'mutate'
    if (!isWrite) return this.#own.data(hash, actor, call)
    const write = (known: Known) => this.#commits.take(() => this.#own.data(hash, actor, call, known))
    const known = this.#own.known(hash, call.ops)
    return known instanceof Promise ? known.then(write) : write(known)
  }

  fetch(request: Request): Response {
    if (this.#isTeam && !this.#team.isThere) return new Response(null, { status: 404 })
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
    return this.#once('people', () => userListHandlers(this.ctx.storage, this.#hold))[kind](ask)
  }

  memberships<Kind extends keyof MembershipCalls>(kind: Kind, ask: MembershipCalls[Kind]['ask']) {
    return this.#memberships[kind](ask)
  }

  team<Kind extends keyof TeamObjectCalls>(
    kind: Kind,
    ask: TeamObjectCalls[Kind]['ask'],
  ): Promise<TeamObjectAnswer<Kind>> {
    return this.#team.answer(kind, ask)
  }

  eraseMember(userId: string, email: string | null): Promise<void> {
    return this.#team.erase(userId, email)
  }

  countMember(userId: string, email: string | null): TeamErasure {
    return this.#team.tracesOf(userId, email)
  }

  teams<Kind extends keyof TeamListCalls>(kind: Kind, ask: TeamListCalls[Kind]['ask']) {
    return this.#once('team list', () => teamListHandlers(this.ctx.storage, () => this.#hold.isHeld))[kind](
      ask,
    )
  }

  actorHere(actor: Actor): Actor | null {
    return this.#team.isThere ? this.#team.actorHere(actor) : null
  }

  meter<Kind extends keyof CounterCalls>(kind: Kind, ask: CounterCalls[Kind]['ask']) {
    return this.#meters.answer(kind, ask)
  }

  countMeters(): number {
    return this.#meters.count()
  }

  meters<Kind extends keyof MeterListCalls>(kind: Kind, ask: MeterListCalls[Kind]['ask']) {
    return this.#once('meter list', () =>
      meterListHandlers(this.ctx.storage, (subject) => this.#isKnown(subject)),
    )[kind](ask)
  }

  jobKeys<Kind extends keyof JobKeyCalls>(kind: Kind, ask: JobKeyCalls[Kind]['ask']) {
    return this.#once('job keys', () => jobKeyHandlers(this.ctx.storage, this.#hold))[kind](ask)
  }

  get #meters(): ObjectMeters {
    const place = placeOf(this.ctx.id.name)
    return this.#once(
      'meters',
      () =>
        new ObjectMeters({
          ctx: this.ctx,
          hold: this.#hold,
          exists: () => this.#isKept,
          wake: () => this.#own.poke(),
          report: (error) => logError(error, { route: 'meter', tier: place?.tier }),
          send: async (counters) => {
            if (place === null) throw new Error('this object is no partition')
            const { tier, partition: subject } = place
            await directoryOf(this.env.OBJECTS, tier).meters('apply', { subject, counters })
          },
        }),
    )
  }

  /** Returns which of these records exist, for another partition that refers to them. */
  holding(collection: string, ids: string[]): string[] {
    return this.#own.holding(collection, ids)
  }

  /** Null when the partition does not know the release yet. */
  async addRecords(hash: string, call: AddCall): Promise<Added[] | null> {
    const { collection, records } = call
    const ops = records.map(({ id, fields }) => ({ op: 'create', collection, id, fields }))
    const known = await this.#own.known(hash, ops)
    return this.#commits.take(() => this.#own.addRecords(hash, call, known))
  }

  readRows(collection: string, ids: string[]): Row[] {
    return this.#own.readRows(collection, ids)
  }

  disown(userId: string): Promise<void> {
    this.#own.disown(userId)
    return this.#own.flush()
  }

  countOwned(userId: string): number {
    return this.#own.countOwned(userId)
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
    this.#made.clear()
    this.#alarms.reset()
    this.#hold.set(false)
  }

  head(): PartitionHead {
    return {
      ...this.#own.head(),
      account: this.#account.dump(null),
      meters: this.#meters.dump(),
      timers: this.#timers.dump(),
      push: this.#push.dump(),
      hooks: this.#isApp ? this.#hooks.dump() : null,
      inbox: this.#isApp ? this.#inbox.dump() : null,
      team: this.#isTeam ? this.#team.dump() : null,
      memberships: this.#memberships.dump(null),
    }
  }

  rows(after: RowPlace | null): RowPage {
    return this.#own.rows(after)
  }

  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): void {
    if (head.account) this.#account.restore(head.account)
    this.#own.takeHead(head, release)
    if (head.meters) this.#meters.restore(head.meters)
    if (head.timers) this.#timers.restore(head.timers)
    if (head.push) this.#push.restore(head.push)
    if (head.hooks) this.#hooks.restore(head.hooks)
    if (head.inbox) this.#inbox.restore(head.inbox)
    if (head.memberships) this.#memberships.restore(head.memberships)
    if (head.team) this.#team.restore(head.team)
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
      await this.#alarms.wake(this.#wakers(name), Date.now())
    } catch (error) {
      // An alarm has no caller to report the error, and this worker keeps console output only, so log it
      // here.
      logError(error, { route: 'alarm', tier: tierOf(name) })
    }
  }

  /** What an object of this name wakes up for. */
  #wakers(name: string | undefined) {
    if (isSchedule(name)) return { schedule: () => this.#schedules.wake() }
    if (placeOf(name) === null)
      return {
        reindex: () => this.#reindex(),
        migrations: () => this.#migrations.wake(),
        mail: () => this.#mail.wake(),
      }
    return {
      outbox: async () => {
        // Of a team that is gone nothing is left to send.
        if (this.#isTeam && !this.#team.isKept) return
        await this.#own.wake()
        await this.#meters.flush()
        if (this.#isTeam) await this.#team.flush()
      },
      timers: () => this.#timers.wake(),
      push: () => this.#push.wake(),
      hooks: () => this.#hooks.wake(),
      inbox: () => this.#inbox.wake(),
    }
  }

  planSchedules(specs: ScheduleSpec[]): void {
    this.#schedules.plan(specs)
  }

  restSchedules(): void {
    this.#schedules.rest()
  }

  scheduledJobs(): ScheduledJob[] {
    return this.#schedules.list()
  }

  /** Where no person lives nothing is stored: the caller has made sure that one does. */
  timers<Kind extends keyof TimerCalls>(kind: Kind, ask: TimerCalls[Kind]['ask']): TimerAnswer<Kind> {
    return this.#timers.answer(kind, ask)
  }

  hook<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): HookObjectAnswer<Kind> {
    return this.#hooks.answer(kind, ask)
  }

  resumeHooks(): void {
    this.#hooks.resume()
    this.#inbox.resume()
  }

  mail<Kind extends keyof MailObjectCalls>(
    kind: Kind,
    ask: MailObjectCalls[Kind]['ask'],
  ): MailObjectAnswer<Kind> {
    return this.#mail.answer(kind, ask)
  }

  inbox<Kind extends keyof InboxCalls>(kind: Kind, ask: InboxCalls[Kind]['ask']): InboxAnswer<Kind> {
    return this.#inbox.answer(kind, ask)
  }

  countTimers(): number {
    return this.#timers.count()
  }

  push<Kind extends keyof PushObjectCalls>(
    kind: Kind,
    ask: PushObjectCalls[Kind]['ask'],
  ): Promise<PushObjectAnswer<Kind>> {
    return this.#push.answer(kind, ask, this.#isKept)
  }

  countPushDevices(): number {
    return this.#push.count()
  }

  pushOwners<Kind extends keyof PushOwnerCalls>(
    kind: Kind,
    ask: PushOwnerCalls[Kind]['ask'],
  ): PushOwnerCalls[Kind]['answer'] {
    return this.#once('push owners', () =>
      pushOwnerHandlers(this.ctx.storage, (userId) => this.#isKnown(userId)),
    )[kind](ask)
  }

  files<Kind extends keyof FilesCalls>(kind: Kind, ask: FilesCalls[Kind]['ask']): Promise<FilesAnswer<Kind>> {
    return this.#fileList.answer(kind, ask)
  }

  takeFiles(files: FileRef[]): void {
    this.#fileList.take(files)
  }

  get #fileList(): Files {
    return this.#once('files', () => new Files(this.ctx.storage, this.env, this.#hold))
  }

  /** Returns the partitions that were ever written to. */
  dirPartitions(): string[] {
    return this.#dir.partitions()
  }

  dirPrepare(hash: string, manifest: Manifest): void {
    this.#dir.prepare(hash, manifest, new Date().toISOString())
    this.#reindex()
    this.#migrations.start()
  }

  dirActivate(hash: string): void {
    this.#dir.activate(hash)
    this.#reindex()
    this.#migrations.start()
  }

  dirActive(): { hash: string; manifest: Manifest } | null {
    return this.#dir.active()
  }

  dirManifest(hash: string): Manifest | null {
    return this.#dir.readManifest(hash)
  }

  /** What a person's partition sent before it was erased may arrive after, and is dropped. */
  dirApply(partition: string, batch: Batch): void {
    if (this.#isKnown(partition)) this.#dir.apply(partition, batch)
  }

  #isKnown(partition: string): boolean {
    if (isTeamId(partition)) return this.teams('known', { id: partition })
    return !isUserId(partition) || this.users('find', { id: partition }) !== null
  }

  dirForget(partition: string): void {
    this.#dir.forget(partition)
  }

  dirCount(partition: string): number {
    return this.#dir.count(partition)
  }

  dirTotals(): Record<string, { count: number; updatedAt: string }> {
    return this.#dir.totals()
  }

  dirNewest(collection: string, limit: number): Found[] {
    return this.#dir.newest(collection, limit)
  }

  dirPage(collection: string, query: ParsedQuery): FoundPage {
    return directoryPage(this.ctx.storage, collection, query)
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

  get #migrations(): MigrationSweep {
    const tier = tierOf(this.ctx.id.name) ?? 'production'
    return this.#once(
      'migrations',
      () =>
        new MigrationSweep({
          backlog: this.#dir.backlog,
          alarms: this.#alarms,
          hold: this.#hold,
          migrate: (partition, hash, manifest) =>
            partitionOf(this.env.OBJECTS, tier, partition).migrate(hash, manifest),
          report: (error) => logError(error, { route: 'migrations', tier }),
        }),
    )
  }

  /** Indexes a large collection again in slices, so that no call waits for all of it. */
  #reindex(): void {
    if (this.#dir.reindexSome()) this.#alarms.set('reindex', Date.now())
  }
}
