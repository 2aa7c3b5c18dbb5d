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

export type Tier = 'production' | 'preview'

/** For other parts of the worker; app code cannot reach them. */
export interface AppObjectStub extends FilesBinding, PartMethods {
  prepare(hash: string, manifest: Manifest): Promise<void>
  /** Returns the ids of all migrations that are applied; null while changes are refused. */
  migrate(hash: string, manifest: Manifest): Promise<string[] | null>
  data(hash: string, actor: Actor, call: DataCall): Promise<DataText>
  /** For the person of a session, in the object that knows both; null when the session is not valid. */
  dataOf(hash: string, session: SessionToken, call: DataCall): Promise<DataText | null>
  fetch(request: Request): Promise<Response>
  closeSockets(userId: string): Promise<void>
  account: Method<AccountCalls>
  users: Method<UserListCalls>
  /** In the directory. */
  budget: Method<BudgetCalls>
  memberships: Method<MembershipCalls>
  team: ResultMethod<TeamObjectCalls>
  eraseMember(userId: string, email: string | null): Promise<void>
  countMember(userId: string, email: string | null): Promise<TeamErasure>
  teams: Method<TeamListCalls>
  /** The caller with the rights in this team; null when there is no such team. */
  actorHere(actor: Actor): Promise<Actor | null>
  resumeHooks(): Promise<void>
  rooms: ResultMethod<RoomObjectCalls>
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
  dirSpend(jti: string, expiresAt: number): Promise<boolean>
}

/** One object class for everything: `directoryOf`, `partitionOf` and the others return an object of it by name. */
export type Objects = ObjectNamespace<AppObjectStub>

const PREVIEW = 'pv:'
const DIRECTORY = 'dir'
const FILES = 'files'
const SCHEDULE = 'sched'
const PARTITION = 'data:'
const ROOM = 'room:'

const prefixOf = (tier: Tier): string => (tier === 'preview' ? PREVIEW : '')

export const directoryOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${DIRECTORY}`)

export const filesOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${FILES}`)

export const scheduleOf = (objects: Objects, tier: Tier): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${SCHEDULE}`)

export const isSchedule = (name: string | undefined): boolean =>
  name === SCHEDULE || name === `${PREVIEW}${SCHEDULE}`

export const partitionOf = (objects: Objects, tier: Tier, partition: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${PARTITION}${partition}`)

export const roomOf = (objects: Objects, tier: Tier, room: string): AppObjectStub =>
  objects.getByName(`${prefixOf(tier)}${ROOM}${room}`)

export const isRoom = (name: string | undefined): boolean =>
  name?.startsWith(ROOM) === true || name?.startsWith(`${PREVIEW}${ROOM}`) === true

/** Rooms are listed under this name beside the partitions that are copied to another account. */
export const placeOfRoom = (room: string): string => `${ROOM}${room}`

export const roomAt = (place: string): string | null =>
  place.startsWith(ROOM) ? place.slice(ROOM.length) : null

/** `place`: a partition, or the name under which a room is listed. */
export function objectAt(objects: Objects, tier: Tier, place: string): AppObjectStub {
  const room = roomAt(place)
  return room === null ? partitionOf(objects, tier, place) : roomOf(objects, tier, room)
}

/** The object of a person: the account, and the records that are only theirs. */
export const accountOf = (objects: Objects, tier: Tier, userId: string): AppObjectStub =>
  partitionOf(objects, tier, userId)

export const tierOf = (name: string | undefined): Tier | undefined =>
  name === undefined ? undefined : name.startsWith(PREVIEW) ? 'preview' : 'production'

/** Null for an object that is not a partition. */
export function placeOf(name: string | undefined): { tier: Tier; partition: string } | null {
  const tier = tierOf(name)
  if (name === undefined || tier === undefined) return null
  const own = name.slice(prefixOf(tier).length)
  return own.startsWith(PARTITION) ? { tier, partition: own.slice(PARTITION.length) } : null
}
