import type { Result, Failure } from './errors.ts'
import type { ObjectNamespace } from 'cloudflare:workers'
import type { AddCall, Added } from '../data/add.ts'
import type { Batch, DataCall, DataText, Row } from '../data/frames.ts'
import type { ParsedQuery } from '../data/query.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from '../data/transfer.ts'
import type { AccountCalls, UserListCalls } from '../auth/objects.ts'
import type { ConnectObjectCalls } from '../connect/calls.ts'
import type { MembershipCalls } from '../team/memberships.ts'
import type { TeamListCalls } from '../team/list.ts'
import type { TeamErasure, TeamObjectCalls } from '../team/object.ts'
import type { InboxCalls, MailObjectCalls } from '../email/calls.ts'
import type { DailySalt } from '../events/salts.ts'
import type { HookObjectCalls } from '../hook/types.ts'
import type { CounterCalls, MeterListCalls } from '../meter/objects.ts'
import type { RoomObjectCalls } from '../live/types.ts'
import type { GrantCalls, OrderCalls } from '../pay/calls.ts'
import type { JobKeyCalls } from '../queue/objects.ts'
import type { PushObjectCalls, PushOwnerCalls } from '../push/types.ts'
import type { Allowance } from '../meter/types.ts'
import type { ScheduledJob, ScheduleSpec, TimerCalls } from '../schedule/types.ts'
import type { BudgetCalls } from '../directory/budget.ts'
import type { Found } from '../directory/frames.ts'
import type { FoundPage } from '../directory/page.ts'
import type { FileRef, FilesBinding } from '../files/types.ts'
import type { VideoObjectCalls } from '../video/types.ts'
import type { Actor, SessionToken } from './actor.ts'
import type { ResultMethod, Method } from './calls.ts'
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
  account: Method<AccountCalls>
  users: Method<UserListCalls>
  /** What a person has connected, in the object of the person. */
  connections: ResultMethod<ConnectObjectCalls>
  countConnections(): Promise<number>
  meter<Kind extends keyof CounterCalls>(
    kind: Kind,
    ask: CounterCalls[Kind]['ask'],
  ): Promise<Result<Allowance>>
  countMeters(): Promise<number>
  meters: Method<MeterListCalls>
  jobKeys: Method<JobKeyCalls>
  /** Budgets of a month, in the directory. */
  budget: Method<BudgetCalls>
  memberships: Method<MembershipCalls>
  team: ResultMethod<TeamObjectCalls>
  eraseMember(userId: string, email: string | null): Promise<void>
  /** What `eraseMember` would take out. */
  countMember(userId: string, email: string | null): Promise<TeamErasure>
  teams: Method<TeamListCalls>
  /** Returns a caller as the rules judge it in a team's partition; null when there is no such team. */
  actorHere(actor: Actor): Promise<Actor | null>
  planSchedules(specs: ScheduleSpec[]): Promise<void>
  restSchedules(): Promise<void>
  scheduledJobs(): Promise<ScheduledJob[]>
  timers: ResultMethod<TimerCalls>
  countTimers(): Promise<number>
  hook<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): Promise<Result<HookObjectCalls[Kind]['answer']> | null>
  resumeHooks(): Promise<void>
  /** The outbox, in the directory. */
  mail: ResultMethod<MailObjectCalls>
  /** Mail that came in, in the app's partition. */
  inbox: ResultMethod<InboxCalls>
  rooms: ResultMethod<RoomObjectCalls>
  /** Payments, in the directory. */
  orders: ResultMethod<OrderCalls>
  /** What a person has bought, in their own object. */
  grants: Method<GrantCalls>
  push: ResultMethod<PushObjectCalls>
  countPushDevices(): Promise<number>
  /** Whose device an endpoint is, in the directory. */
  pushOwners: Method<PushOwnerCalls>
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
  videos: ResultMethod<VideoObjectCalls>
  dirSpend(jti: string, expiresAt: number): Promise<boolean>
}

/**
 * The namespace of the project's one object class; `directoryOf`, `partitionOf` and the others return an
 * object of it by name.
 */
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
