import type { Failure } from './errors.ts'
import type { ObjectNamespace } from 'cloudflare:workers'
import type { AddCall, Added } from '../data/add.ts'
import type { Batch, DataCall, DataText, Row } from '../data/frames.ts'
import type { ParsedQuery } from '../data/query.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from '../data/transfer.ts'
import type { AccountCalls, UserListCalls } from '../auth/objects.ts'
import type { ConnectObjectAnswer, ConnectObjectCalls } from '../connect/calls.ts'
import type { MembershipCalls } from '../team/memberships.ts'
import type { TeamListCalls } from '../team/list.ts'
import type { TeamErasure, TeamObjectAnswer, TeamObjectCalls } from '../team/object.ts'
import type { InboxAnswer, InboxCalls, MailObjectAnswer, MailObjectCalls } from '../email/calls.ts'
import type { DailySalt } from '../events/salts.ts'
import type { HookObjectAnswer, HookObjectCalls } from '../hook/types.ts'
import type { Counted, CounterCalls, MeterListCalls } from '../meter/objects.ts'
import type { RoomObjectAnswer, RoomObjectCalls } from '../live/types.ts'
import type { GrantCalls, OrderAnswer, OrderCalls } from '../pay/calls.ts'
import type { JobKeyCalls } from '../queue/objects.ts'
import type { PushObjectAnswer, PushObjectCalls, PushOwnerCalls } from '../push/types.ts'
import type { ScheduledJob, ScheduleSpec, TimerAnswer, TimerCalls } from '../schedule/types.ts'
import type { BudgetCalls } from '../directory/budget.ts'
import type { Found } from '../directory/frames.ts'
import type { FoundPage } from '../directory/page.ts'
import type { FileRef, FilesBinding } from '../files/types.ts'
import type { VideoObjectAnswer, VideoObjectCalls } from '../video/types.ts'
import type { Actor, SessionToken } from './actor.ts'
import type { Manifest } from './manifest.ts'

export type Tier = 'production' | 'preview'

/** The methods of a project's objects for other parts of their worker; app code cannot reach them. */
export interface AppObjectStub extends FilesBinding {
  prepare(hash: string, manifest: Manifest): Promise<void>
  /** Applies the migrations of a release; returns the ids of all that are applied, or null while it is held. */
  migrate(hash: string, manifest: Manifest): Promise<string[] | null>
  data(hash: string, actor: Actor, call: DataCall): Promise<DataText>
  /** The same for the person of a session, in the object that knows both; null when it is not valid. */
  dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null>
  fetch(request: Request): Promise<Response>
  closeSockets(userId: string): Promise<void>
  account<Kind extends keyof AccountCalls>(
    kind: Kind,
    ask: AccountCalls[Kind]['ask'],
  ): Promise<AccountCalls[Kind]['answer']>
  users<Kind extends keyof UserListCalls>(
    kind: Kind,
    ask: UserListCalls[Kind]['ask'],
  ): Promise<UserListCalls[Kind]['answer']>
  /** What a person has connected, in the object of the person. */
  connections<Kind extends keyof ConnectObjectCalls>(
    kind: Kind,
    ask: ConnectObjectCalls[Kind]['ask'],
  ): Promise<ConnectObjectAnswer<Kind>>
  countConnections(): Promise<number>
  meter<Kind extends keyof CounterCalls>(kind: Kind, ask: CounterCalls[Kind]['ask']): Promise<Counted>
  countMeters(): Promise<number>
  meters<Kind extends keyof MeterListCalls>(
    kind: Kind,
    ask: MeterListCalls[Kind]['ask'],
  ): Promise<MeterListCalls[Kind]['answer']>
  jobKeys<Kind extends keyof JobKeyCalls>(
    kind: Kind,
    ask: JobKeyCalls[Kind]['ask'],
  ): Promise<JobKeyCalls[Kind]['answer']>
  /** Budgets of a month, in the directory. */
  budget<Kind extends keyof BudgetCalls>(
    kind: Kind,
    ask: BudgetCalls[Kind]['ask'],
  ): Promise<BudgetCalls[Kind]['answer']>
  memberships<Kind extends keyof MembershipCalls>(
    kind: Kind,
    ask: MembershipCalls[Kind]['ask'],
  ): Promise<MembershipCalls[Kind]['answer']>
  team<Kind extends keyof TeamObjectCalls>(
    kind: Kind,
    ask: TeamObjectCalls[Kind]['ask'],
  ): Promise<TeamObjectAnswer<Kind>>
  eraseMember(userId: string, email: string | null): Promise<void>
  /** What `eraseMember` would take out. */
  countMember(userId: string, email: string | null): Promise<TeamErasure>
  teams<Kind extends keyof TeamListCalls>(
    kind: Kind,
    ask: TeamListCalls[Kind]['ask'],
  ): Promise<TeamListCalls[Kind]['answer']>
  /** Returns a caller as the rules judge it in a team's partition; null when there is no such team. */
  actorHere(actor: Actor): Promise<Actor | null>
  planSchedules(specs: ScheduleSpec[]): Promise<void>
  restSchedules(): Promise<void>
  scheduledJobs(): Promise<ScheduledJob[]>
  timers<Kind extends keyof TimerCalls>(kind: Kind, ask: TimerCalls[Kind]['ask']): Promise<TimerAnswer<Kind>>
  countTimers(): Promise<number>
  hook<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): Promise<HookObjectAnswer<Kind>>
  resumeHooks(): Promise<void>
  /** The outbox, in the directory. */
  mail<Kind extends keyof MailObjectCalls>(
    kind: Kind,
    ask: MailObjectCalls[Kind]['ask'],
  ): Promise<MailObjectAnswer<Kind>>
  /** Mail that came in, in the app's partition. */
  inbox<Kind extends keyof InboxCalls>(kind: Kind, ask: InboxCalls[Kind]['ask']): Promise<InboxAnswer<Kind>>
  rooms<Kind extends keyof RoomObjectCalls>(
    kind: Kind,
    ask: RoomObjectCalls[Kind]['ask'],
  ): Promise<RoomObjectAnswer<Kind>>
  /** Payments, in the directory. */
  orders<Kind extends keyof OrderCalls>(kind: Kind, ask: OrderCalls[Kind]['ask']): Promise<OrderAnswer<Kind>>
  /** What a person has bought, in their own object. */
  grants<Kind extends keyof GrantCalls>(
    kind: Kind,
    ask: GrantCalls[Kind]['ask'],
  ): Promise<GrantCalls[Kind]['answer']>
  push<Kind extends keyof PushObjectCalls>(
    kind: Kind,
    ask: PushObjectCalls[Kind]['ask'],
  ): Promise<PushObjectAnswer<Kind>>
  countPushDevices(): Promise<number>
  /** Whose device an endpoint is, in the directory. */
  pushOwners<Kind extends keyof PushOwnerCalls>(
    kind: Kind,
    ask: PushOwnerCalls[Kind]['ask'],
  ): Promise<PushOwnerCalls[Kind]['answer']>
  addRecords(hash: string, call: AddCall): Promise<Added[] | Failure | null>
  readRows(collection: string, ids: string[]): Promise<Row[]>
  holding(collection: string, ids: string[]): Promise<string[]>
  flush(): Promise<void>

  disown(userId: string): Promise<void>
  /** How many records `disown` would change. */
  countOwned(userId: string): Promise<number>
  countRecords(): Promise<number>

  hold(isHeld: boolean): Promise<void>
  wipe(): Promise<void>
  head(): Promise<PartitionHead>
  rows(after: RowPlace | null): Promise<RowPage>
  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): Promise<void>
  takeRows(rows: StoredRow[]): Promise<void>
  takeFiles(files: FileRef[]): Promise<void>

  dirPrepare(hash: string, manifest: Manifest): Promise<void>
  dirActivate(hash: string): Promise<void>
  dirActive(): Promise<{ hash: string; manifest: Manifest } | null>
  dirManifest(hash: string): Promise<Manifest | null>
  dirApply(partition: string, batch: Batch): Promise<void>
  dirForget(partition: string): Promise<void>
  dirCount(partition: string): Promise<number>
  dirPartitions(): Promise<string[]>
  dirTotals(): Promise<Record<string, { count: number; updatedAt: string }>>
  dirNewest(collection: string, limit: number): Promise<Found[]>
  dirPage(collection: string, query: ParsedQuery): Promise<FoundPage>
  dirHolds(collection: string, partition: string, id: string): Promise<boolean>
  dirSearch(
    collection: string,
    search: { q: string; partitions: string[] | null; owner: string | null; limit: number },
  ): Promise<Found[]>
  dirEventSalt(): Promise<DailySalt>
  /** The videos of a tier, in the directory. */
  videos<Kind extends keyof VideoObjectCalls>(
    kind: Kind,
    ask: VideoObjectCalls[Kind]['ask'],
  ): Promise<VideoObjectAnswer<Kind>>
  dirSpend(jti: string, expiresAt: number): Promise<boolean>
}

export type Objects = ObjectNamespace<AppObjectStub>

const PREVIEW = 'pv:'
const DIRECTORY = 'dir'
const FILES = 'files'
const SCHEDULE = 'sched'
const PARTITION = 'data:'
const ROOM = 'room:'

const prefixOf = (tier: Tier): string => (tier === 'preview' ? PREVIEW : '')

/** The read model of everything a tier stores. */
export const directoryOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${DIRECTORY}`)

/** The object that keeps the list of a tier's files. */
export const filesOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${FILES}`)

/** The object that runs the schedules of a tier. */
export const scheduleOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${SCHEDULE}`)

/** Whether an object of this name runs schedules. */
export const isSchedule = (name: string | undefined): boolean =>
  name === SCHEDULE || name === `${PREVIEW}${SCHEDULE}`

/** The object that holds the records of a partition. */
export const partitionOf = (objects: Objects, tier: Tier, partition: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${PARTITION}${partition}`)

/** The object of a live room that belongs to no partition. */
export const roomOf = (objects: Objects, tier: Tier, room: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${ROOM}${room}`)

/** Whether an object of this name is a live room. */
export const isRoom = (name: string | undefined): boolean =>
  name?.startsWith(ROOM) === true || name?.startsWith(`${PREVIEW}${ROOM}`) === true

/** The name under which a room is listed beside the partitions that are copied to another account. */
export const placeOfRoom = (room: string): string => `${ROOM}${room}`

/** Returns the room that is listed under such a name; null for a partition. */
export const roomAt = (place: string): string | null =>
  place.startsWith(ROOM) ? place.slice(ROOM.length) : null

/** Returns the object of a partition, or of a room by the name it is listed under. */
export function objectAt(objects: Objects, tier: Tier, place: string): AppObjectStub {
  const room = roomAt(place)
  return room === null ? partitionOf(objects, tier, place) : roomOf(objects, tier, room)
}

/** The object of a person: the account, and the records that are only theirs. */
export const accountOf = (objects: Objects, tier: Tier, userId: string): AppObjectStub =>
  partitionOf(objects, tier, userId)

/** Returns the tier an object belongs to. */
export const tierOf = (name: string | undefined): Tier | undefined =>
  name === undefined ? undefined : name.startsWith(PREVIEW) ? 'preview' : 'production'

/** Returns the tier and partition in an object's name; null for any other object. */
export function placeOf(name: string | undefined): { tier: Tier; partition: string } | null {
  const tier = tierOf(name)
  if (name === undefined || tier === undefined) return null
  const own = name.slice(prefixOf(tier).length)
  return own.startsWith(PARTITION) ? { tier, partition: own.slice(PARTITION.length) } : null
}
