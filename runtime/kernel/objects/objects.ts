import type { ObjectNamespace } from 'cloudflare:workers'
import type { Manifest } from '../manifest.ts'
import type { JsonText } from '../json-text.ts'

export type Tier = 'production' | 'preview'

/**
 * The RPC methods of a Durable Object, for the live worker and the admin worker. App code cannot call them.
 * Each folder of `runtime/` adds its methods in its `object-types.ts`.
 */
export interface AppObjectStub {
  prepare(hash: string, manifest: Manifest): Promise<void>
  /** Returns the ids of all migrations that are applied; null while changes are rejected. */
  migrate(hash: string, manifest: Manifest): Promise<string[] | null>
  fetch(request: Request): Promise<Response>
  closeSockets(userId: string): Promise<void>
  resumeHooks(): Promise<void>
  hold(isHeld: boolean): Promise<void>
  wipe(): Promise<void>
  head(): Promise<PartitionHead>
  takeHead(head: PartitionHead, release: { hash: string; manifest: Manifest } | null): Promise<void>
}

/**
 * The data of a partition that is copied to another cloud account before its rows: the ids of the migrations
 * that were applied to these rows, and the fields that each folder adds in `object-types.ts`.
 */
export interface PartitionHead {
  migrations: JsonText<string[]> | null
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

/** Returns the name of a room in the list of partitions that are copied to another cloud account. */
export const nameOfRoom = (room: string): string => `${ROOM_PREFIX}${room}`

/** The inverse of `nameOfRoom`: returns the room, or null when `name` is that of a partition. */
export const roomOfName = (name: string): string | null =>
  name.startsWith(ROOM_PREFIX) ? name.slice(ROOM_PREFIX.length) : null

/** `name` is a partition, or the name of a room as `nameOfRoom` returns it. */
export function objectByName(objects: Objects, tier: Tier, name: string): AppObjectStub {
  const room = roomOfName(name)
  return room === null ? partitionOf(objects, tier, name) : roomOf(objects, tier, room)
}

/** Returns the Durable Object of a person, which stores the account and the person's own records. */
export const accountOf = (objects: Objects, tier: Tier, userId: string): AppObjectStub =>
  partitionOf(objects, tier, userId)

export const tierOf = (name: string | undefined): Tier | undefined =>
  name === undefined ? undefined : name.startsWith(PREVIEW_PREFIX) ? 'preview' : 'production'

/** Returns the tier and the partition in the name of a Durable Object; null for an object that is not a partition. */
export function parsePartitionName(name: string | undefined): { tier: Tier; partition: string } | null {
  const tier = tierOf(name)
  if (name === undefined || tier === undefined) return null
  const own = name.slice(prefixOf(tier).length)
  return own.startsWith(PARTITION_PREFIX) ? { tier, partition: own.slice(PARTITION_PREFIX.length) } : null
}
