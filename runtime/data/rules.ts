import type { Actor, Person } from '../kernel/actor.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import type { AccessWord, CollectionSpec, Manifest } from '../kernel/manifest.ts'

/** Which records of a collection a caller reaches: all, those it owns, or none. */
export type Reach = 'all' | 'own' | 'none'

export type WriteKind = 'create' | 'update' | 'remove'

/** Returns the declared collection; throws for any other name. */
export function collectionOf(manifest: Manifest, name: string): CollectionSpec {
  const collection = Object.hasOwn(manifest.collections, name) ? manifest.collections[name] : undefined
  if (collection === undefined) throw new ApiError('not_found', `No such collection: ${name}.`)
  return collection
}

/** Returns the declared collection if its records are kept in this partition, and throws otherwise. */
export function collectionIn(manifest: Manifest, name: string, partition: string): CollectionSpec {
  const collection = collectionOf(manifest, name)
  if (!isIn(collection, partition)) throw invalid('partition', `${name} is kept per ${collection.partition}`)
  return collection
}

/** Whether the records of a collection are kept in such a partition. */
export const isIn = (collection: CollectionSpec, partition: string): boolean =>
  collection.partition === kindOf(partition)

/** A partition is named like its owner: `app`, a user id, or a team id. */
const kindOf = (partition: string): CollectionSpec['partition'] =>
  partition.startsWith('u_') ? 'user' : partition.startsWith('t_') ? 'team' : 'app'

/** Returns which records a caller may read. Staff may always read. */
export function readReach(actor: Actor, { read, partition }: CollectionSpec): Reach {
  if (actor === 'system' || read === 'public') return 'all'
  if (actor === 'anonymous') return 'none'
  if (actor.role === 'staff' || read === 'members') return 'all'
  return memberReach(actor, read, partition)
}

/** What a word gives to people. In a team's partition it gives members something, and nothing to one who has left. */
function memberReach(actor: Person, word: AccessWord, partition: CollectionSpec['partition']): Reach {
  const isInside = partition !== 'team' || actor.inTeam === true
  if (word === 'team') return partition === 'team' && isInside ? 'all' : 'none'
  return word === 'owner' && isInside ? 'own' : 'none'
}

/**
 * Returns which records a caller may write. `public` lets any visitor create, and only staff change what they created;
 * `owner` lets every person create, and change only their own; `team` lets members of the team do everything. Staff may
 * always change and remove, but create only where a person may.
 */
export function writeReach(actor: Actor, kind: WriteKind, { write, partition }: CollectionSpec): Reach {
  if (actor === 'system') return 'all'
  if (kind === 'create') return mayCreate(actor, write, partition) ? 'all' : 'none'
  if (actor === 'anonymous') return 'none'
  if (actor.role === 'staff' || write === 'members') return 'all'
  return memberReach(actor, write, partition)
}

/** Only members add to what a team has: whoever may read it, even staff, never does so for others. */
function mayCreate(
  actor: 'anonymous' | Person,
  write: AccessWord,
  partition: CollectionSpec['partition'],
): boolean {
  if (partition === 'team' && (actor === 'anonymous' || actor.inTeam !== true)) return false
  if (write === 'public') return true
  if (actor === 'anonymous') return false
  if (write === 'members' || write === 'owner') return true
  return write === 'team' ? partition === 'team' : write === 'staff' && actor.role === 'staff'
}

/** Whether a record of this owner is within a caller's reach. */
export const isReached = (reach: Reach, actor: Actor, ownerId: string | null): boolean =>
  reach === 'all' || (reach === 'own' && typeof actor !== 'string' && actor.userId === ownerId)

/** Returns which records a caller may read, and throws when it may read none. */
export function requireRead(actor: Actor, name: string, collection: CollectionSpec): 'all' | 'own' {
  const reach = readReach(actor, collection)
  if (reach === 'none') throw refusal(actor, collection.read, `read ${name}`)
  return reach
}

/** Throws when a caller may not write such records at all. */
export function requireWrite(
  actor: Actor,
  kind: WriteKind,
  name: string,
  collection: CollectionSpec,
): 'all' | 'own' {
  const reach = writeReach(actor, kind, collection)
  if (reach === 'none') throw refusal(actor, collection.write, `${kind} records of ${name}`)
  return reach
}

function refusal(actor: Actor, word: AccessWord, action: string): ApiError {
  const isForPeople = word === 'members' || word === 'owner' || word === 'team'
  return actor === 'anonymous' && isForPeople
    ? new ApiError('unauthorized', `Sign in to ${action}.`)
    : new ApiError('forbidden', `You may not ${action}.`)
}
