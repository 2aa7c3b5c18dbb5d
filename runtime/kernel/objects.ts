import type { Failure } from './errors.ts'
import type { ObjectNamespace } from 'cloudflare:workers'
import type { AddCall, Added } from '../data/add.ts'
import type { Batch, DataCall, DataText, Row } from '../data/frames.ts'
import type { ParsedQuery } from '../data/query.ts'
import type { PartitionHead, RowPage, RowPlace, StoredRow } from '../data/transfer.ts'
import type { AccountCalls, UserListCalls } from '../auth/objects.ts'
import type { MembershipCalls } from '../team/memberships.ts'
import type { TeamListCalls } from '../team/list.ts'
import type { TeamErasure, TeamObjectCalls } from '../team/object.ts'
import type { RoomObjectCalls } from '../live/types.ts'
import type { PartMethods } from '../object-types.ts'
import type { BudgetCalls } from '../directory/budget.ts'
import type { Found } from '../directory/frames.ts'
import type { FoundPage } from '../directory/page.ts'
import type { FileRef, FilesBinding } from '../files/types.ts'
import type { Actor, SessionToken } from './actor.ts'
import type { ResultMethod, Method } from './calls.ts'
import type { Manifest } from './manifest.ts'
import type { RedeemMethod } from '../auth/one-time.ts'

export type Tier = 'production' | 'preview'

/** The methods of an object, for the live worker and the admin worker. App code cannot call them. */
export interface AppObjectStub extends FilesBinding, PartMethods {
  prepare(hash: string, manifest: Manifest): Promise<void>
  /** Returns the ids of all migrations that are applied; null while changes are rejected. */
  migrate(hash: string, manifest: Manifest): Promise<string[] | null>
  data(hash: string, actor: Actor, call: DataCall): Promise<DataText>
  /**
   * Like `data`, for the person of a session, in the object that has both the session and the records. Returns null when the session is not
   * valid.
   */
  dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null>
  fetch(request: Request): Promise<Response>
  closeSockets(userId: string): Promise<void>
  account: Method<AccountCalls>
  users: RedeemMethod & Method<UserListCalls>
  /** Called on the directory. */
  budget: Method<BudgetCalls>
  memberships: Method<MembershipCalls>
  team: ResultMethod<TeamObjectCalls>
  eraseMember(userId: string, email: string | null): Promise<void>
  countMember(userId: string, email: string | null): Promise<TeamErasure>
  teams: Method<TeamListCalls>
  /** Returns the caller with their membership in this team; null when the team does not exist. */
  actorHere(actor: Actor): Promise<Actor | null>
  resumeHooks(): Promise<void>
  rooms: ResultMethod<RoomObjectCalls>
  addRecords(hash: string, call: AddCall): Promise<Added[] | Failure | null>
  readRows(collection: string, ids: string[]): Promise<Row[]>
  holding(collection: string, ids: string[]): Promise<string[]>
  flush(): Promise<void>

  disown(userId: string): Promise<void>
  /** Returns how many records `disown` would change. */
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
  dirSpend(jti: string, expiresAt: number): Promise<boolean>
}

/** The only Durable Object class. `directoryOf`, `partitionOf` and similar functions return one of its objects by name. */
export type Objects = ObjectNamespace<AppObjectStub>

const PREVIEW_PREFIX = 'pv:'
const DIRECTORY_NAME = 'dir'
const FILES_NAME = 'files'
const SCHEDULE_NAME = 'sched'
const PARTITION_PREFIX = 'data:'
const ROOM_PREFIX = 'room:'

const prefixOf = (tier: Tier): string => (tier === 'preview' ? PREVIEW_PREFIX : '')

export const directoryOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${DIRECTORY_NAME}`)

export const filesOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${FILES_NAME}`)

export const scheduleOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${SCHEDULE_NAME}`)

export const isSchedule = (name: string | undefined): boolean =>
  name === SCHEDULE_NAME || name === `${PREVIEW_PREFIX}${SCHEDULE_NAME}`

export const partitionOf = (objects: Objects, tier: Tier, partition: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${PARTITION_PREFIX}${partition}`)

export const roomOf = (objects: Objects, tier: Tier, room: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${ROOM_PREFIX}${room}`)

export const isRoom = (name: string | undefined): boolean =>
  name?.startsWith(ROOM_PREFIX) === true || name?.startsWith(`${PREVIEW_PREFIX}${ROOM_PREFIX}`) === true

/** Returns the name under which a room is listed among the partitions that a move copies. */
export const placeOfRoom = (room: string): string => `${ROOM_PREFIX}${room}`

export const roomAt = (place: string): string | null =>
  place.startsWith(ROOM_PREFIX) ? place.slice(ROOM_PREFIX.length) : null

/** `place` is a partition, or the name under which a room is listed. */
export function objectAt(objects: Objects, tier: Tier, place: string): AppObjectStub {
  const room = roomAt(place)
  return room === null ? partitionOf(objects, tier, place) : roomOf(objects, tier, room)
}

/** Returns the object of a person, which holds the account and the person's own records. */
export const accountOf = (objects: Objects, tier: Tier, userId: string): AppObjectStub =>
  partitionOf(objects, tier, userId)

export const tierOf = (name: string | undefined): Tier | undefined =>
  name === undefined ? undefined : name.startsWith(PREVIEW_PREFIX) ? 'preview' : 'production'

/** Returns null for an object that is not a partition. */
export function placeOf(name: string | undefined): { tier: Tier; partition: string } | null {
  const tier = tierOf(name)
  if (name === undefined || tier === undefined) return null
  const own = name.slice(prefixOf(tier).length)
  return own.startsWith(PARTITION_PREFIX) ? { tier, partition: own.slice(PARTITION_PREFIX.length) } : null
}
