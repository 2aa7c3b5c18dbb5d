import { hexId } from '../world/ids.ts'
import type { Store } from '../world/store.ts'
import { ApiFailure } from './api/failure.ts'
import { reachedBy, reachedScripts } from './bindings/table.ts'
import { type Bucket, findBucket, listGroupBuckets } from './buckets.ts'
import { findScript, listGroupScripts, listNamespaces, updateScript } from './scripts.ts'
import type { Binding } from './types.ts'

/** Whether a bucket may have objects; what was never opened can change its group freely. */
export type IsInUse = (bucket: Bucket) => boolean

/**
 * Finds or makes the group a script belongs to. Resources shared by two workers must live in one instance, so a
 * script joins the scripts and buckets it binds; without any it joins the group of its name.
 */
export function joinGroup(
  store: Store,
  accountId: string,
  name: string,
  bindings: Binding[],
  isInUse: IsInUse,
): string {
  const own = findScript(store, accountId, name)
  const reached = findReached(store, accountId, name, bindings)
  let groupId = own?.groupId ?? reached[0]?.groupId ?? groupFor(store, accountId, name)
  for (const { groupId: theirs, name: target } of reached) {
    if (theirs !== groupId)
      groupId = mergeGroups(store, { groupId, name }, { groupId: theirs, name: target }, isInUse)
  }
  return groupId
}

/** The scripts and buckets a worker's bindings reach, as far as there are any with these names. */
export function findReached(
  store: Store,
  accountId: string,
  name: string,
  bindings: Binding[],
): { groupId: string; name: string }[] {
  const scripts = reachedScripts(name, bindings).map((target) => findScript(store, accountId, target))
  const buckets = reachedBy(bindings).map((reached) =>
    'bucket' in reached ? findBucket(store, accountId, reached.bucket) : null,
  )
  return [...scripts, ...buckets].filter((found) => found !== null)
}

/** The group of a script or a bucket by its name, made when there is none. */
export function groupFor(store: Store, accountId: string, name: string): string {
  return groupNamed(store, accountId, groupName(name))
}

/** Workers and buckets of one project share a name up to these endings. */
function groupName(name: string): string {
  return name.replace(/-(?:preview|live|admin|assets|files)$/, '')
}

function groupNamed(store: Store, accountId: string, name: string): string {
  const row = store.get<{ id: string }>(
    'SELECT id FROM groups WHERE account_id = ? AND name = ?',
    accountId,
    name,
  )
  if (row !== undefined) return row.id
  const id = hexId()
  store.run('INSERT INTO groups (id, account_id, name) VALUES (?, ?, ?)', id, accountId, name)
  return id
}

interface Member {
  groupId: string
  name: string
}

/** Moves what is in the group without state into the other one and answers the id that stays. */
function mergeGroups(store: Store, mine: Member, bound: Member, isInUse: IsInUse): string {
  const mineOwns = ownsState(store, mine.groupId, isInUse)
  if (mineOwns && ownsState(store, bound.groupId, isInUse)) {
    throw new ApiFailure(
      400,
      10021,
      `The local cloud cannot join ${mine.name} and ${bound.name}: both already keep data in different instances.`,
    )
  }
  const [stays, goes] = mineOwns ? [mine.groupId, bound.groupId] : [bound.groupId, mine.groupId]
  for (const script of listGroupScripts(store, goes)) updateScript(store, { ...script, groupId: stays })
  store.run('UPDATE buckets SET group_id = ? WHERE group_id = ?', stays, goes)
  store.run('DELETE FROM groups WHERE id = ?', goes)
  return stays
}

function ownsState(store: Store, groupId: string, isInUse: IsInUse): boolean {
  if (listGroupBuckets(store, groupId).some(isInUse)) return true
  return listGroupScripts(store, groupId).some((script) => listNamespaces(store, script.id).length > 0)
}

/** Forgets a group nobody is in any more; true when it did. */
export function dropEmptyGroup(store: Store, groupId: string): boolean {
  if (listGroupScripts(store, groupId).length > 0 || listGroupBuckets(store, groupId).length > 0) return false
  return store.run('DELETE FROM groups WHERE id = ?', groupId) > 0
}
