import type { Actor, Person } from '../kernel/access/actor.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import type { AccessRule, CollectionSpec, Manifest } from '../kernel/manifest.ts'

/** Which records of a collection a caller may access: all, only their own, or none. */
export type RecordScope = 'all' | 'own' | 'none'

export type WriteKind = 'create' | 'update' | 'remove'

/** Returns undefined for a collection that the app does not declare, and for a name that is not text, as a page may send it. */
export const findCollection = (
  { collections }: Pick<Manifest, 'collections'>,
  name: unknown,
): CollectionSpec | undefined =>
  typeof name === 'string' && Object.hasOwn(collections, name) ? collections[name] : undefined

/** Throws `not_found` when the app does not declare the collection. */
export function collectionOf(manifest: Manifest, name: string): CollectionSpec {
  const collection = findCollection(manifest, name)
  if (collection === undefined) throw new ApiError('not_found', `No such collection: ${name}.`)
  return collection
}

/** Throws when the collection is not declared, or when partitions of this kind do not contain it. */
export function collectionIn(manifest: Manifest, name: string, partition: string): CollectionSpec {
  const collection = collectionOf(manifest, name)
  if (!belongsToPartition(collection, partition))
    throw invalid('partition', `${name} is kept per ${collection.partition}`)
  return collection
}

export const belongsToPartition = (collection: CollectionSpec, partition: string): boolean =>
  collection.partition === partitionKind(partition)

/** The partition's name shows its kind: `app`, a user id, or a team id. */
const partitionKind = (partition: string): CollectionSpec['partition'] =>
  partition.startsWith('u_') ? 'user' : partition.startsWith('t_') ? 'team' : 'app'

/** Returns which records a caller may read. Staff may read all. */
export function readableScope(actor: Actor, { read, partition }: CollectionSpec): RecordScope {
  if (actor === 'system' || read === 'public') return 'all'
  if (actor === 'anonymous') return 'none'
  if (actor.role === 'staff' || read === 'members') return 'all'
  return memberReach(actor, read, partition)
}

/** With the access word `owner` or `team`, a person who has left a team has no access to its records. */
function memberReach(actor: Person, word: AccessRule, partition: CollectionSpec['partition']): RecordScope {
  const isInside = partition !== 'team' || actor.inTeam === true
  if (word === 'team') return partition === 'team' && isInside ? 'all' : 'none'
  return word === 'owner' && isInside ? 'own' : 'none'
}

/**
 * Returns which records a caller may write. With `public`, every visitor may create records, and only staff may change them. With `owner`,
 * every person may create records, and change only their own. With `team`, members of the team may do everything. Staff may always change
 * and remove records, but create them only where every person may.
 */
export function writableScope(
  actor: Actor,
  kind: WriteKind,
  { write, partition }: CollectionSpec,
): RecordScope {
  if (actor === 'system') return 'all'
  if (kind === 'create') return mayCreate(actor, write, partition) ? 'all' : 'none'
  if (actor === 'anonymous') return 'none'
  if (actor.role === 'staff' || write === 'members') return 'all'
  return memberReach(actor, write, partition)
}

/** In a team's partition only members of the team may create records. Staff may not. */
function mayCreate(
  actor: 'anonymous' | Person,
  write: AccessRule,
  partition: CollectionSpec['partition'],
): boolean {
  if (partition === 'team' && (actor === 'anonymous' || actor.inTeam !== true)) return false
  if (write === 'public') return true
  if (actor === 'anonymous') return false
  if (write === 'members' || write === 'owner') return true
  return write === 'team' ? partition === 'team' : write === 'staff' && actor.role === 'staff'
}

export const isInScope = (scope: RecordScope, actor: Actor, ownerId: string | null): boolean =>
  scope === 'all' || (scope === 'own' && typeof actor !== 'string' && actor.userId === ownerId)

/** Returns which records the caller may read. Throws when the caller may read none. */
export function requireRead(actor: Actor, name: string, collection: CollectionSpec): 'all' | 'own' {
  const scope = readableScope(actor, collection)
  if (scope === 'none') throw accessError(actor, collection.read, `read ${name}`)
  return scope
}

/** Returns which records the caller may write. Throws when the caller may write none. */
export function requireWrite(
  actor: Actor,
  kind: WriteKind,
  name: string,
  collection: CollectionSpec,
): 'all' | 'own' {
  const scope = writableScope(actor, kind, collection)
  if (scope === 'none') throw accessError(actor, collection.write, `${kind} records of ${name}`)
  return scope
}

function accessError(actor: Actor, word: AccessRule, action: string): ApiError {
  const isForPeople = word === 'members' || word === 'owner' || word === 'team'
  return actor === 'anonymous' && isForPeople
    ? new ApiError('unauthorized', `Sign in to ${action}.`)
    : new ApiError('forbidden', `You may not ${action}.`)
}
