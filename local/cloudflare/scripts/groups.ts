import { hexId } from '../../world/ids.ts'
import type { Store } from '../../world/store.ts'
import { refuseUpload } from '../products/binding.ts'
import { reachedBy, reachedResources, reachedScripts } from '../products/index.ts'
import { listGroupResources, placeResource, type Resource } from '../products/storage/resources.ts'
import {
  findScript,
  listGroupScripts,
  listNamespaces,
  listScripts,
  readActiveVersion,
  readLatestVersion,
  updateScript,
} from './scripts.ts'
import type { Binding } from '../types.ts'
import { listGroupWorkflows } from '../products/workflows/store.ts'

/** Files of resources; a group's rows and files change together. */
export interface ResourceFiles {
  /** Whether a resource may have data; what was never opened can change its group freely. */
  isStored(resource: Resource): boolean
  /** Brings the data of a resource into another group's state. */
  carry(resource: Resource, toGroupId: string): void
}

interface Found {
  scripts: { groupId: string; name: string }[]
  resources: Resource[]
}

/** The scripts and resources a worker's bindings reach, as far as there are any. */
export function findReached(store: Store, accountId: string, name: string, bindings: Binding[]): Found {
  const reached = reachedBy(bindings)
  return {
    scripts: reachedScripts(name, bindings)
      .map((target) => findScript(store, accountId, target))
      .filter((script) => script !== null),
    resources: reachedResources(store, accountId, reached),
  }
}

/**
 * Finds or makes the group a script belongs to. What two workers share must lie in one instance, so a script joins
 * the scripts it binds, and resources come to the script that binds them first.
 */
export function joinGroup(
  store: Store,
  script: { accountId: string; name: string; bindings: Binding[] },
  files: ResourceFiles,
): string {
  const { accountId, name, bindings } = script
  const reached = findReached(store, accountId, name, bindings)
  const shared = reached.resources.filter((resource) => isBound(store, resource))
  const own = findScript(store, accountId, name)
  const neighbours = [...reached.scripts, ...shared]
  let groupId = own?.groupId ?? neighbours[0]?.groupId ?? groupNamed(store, accountId, groupName(name))
  for (const { groupId: theirs, name: target } of neighbours) {
    if (theirs !== groupId)
      groupId = mergeGroups(store, { groupId, name }, { groupId: theirs, name: target }, files)
  }
  // Read again: those in a group that was merged have come along.
  for (const resource of findReached(store, accountId, name, bindings).resources) {
    if (resource.groupId !== groupId) moveTo(store, resource, groupId, files)
  }
  return groupId
}

/** Where a resource is that no worker was ever bound to. */
export function unboundGroup(store: Store, accountId: string): string {
  return groupNamed(store, accountId, UNBOUND)
}

// No worker has a name like this, so it is nobody's group.
const UNBOUND = '_unbound'

/** Workers of one project share a name up to these endings. */
function groupName(name: string): string {
  return name.replace(/-(?:preview|live|admin|assets)$/, '')
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

/** Whether a worker of its group uses it: then it cannot go elsewhere alone. */
function isBound(store: Store, resource: Resource): boolean {
  return listGroupScripts(store, resource.groupId).some((script) => reaches(store, script, resource))
}

/** Whether a script is bound to a resource, in what it serves or in what was uploaded last. */
function reaches(store: Store, script: { id: string; accountId: string }, resource: Resource): boolean {
  const versions = [readActiveVersion(store, script.id), readLatestVersion(store, script.id)]
  const bindings = versions.flatMap((version) => version?.content.bindings ?? [])
  return reachedResources(store, script.accountId, reachedBy(bindings)).some(({ id }) => id === resource.id)
}

/**
 * The group of the workers that are bound to a new resource by its name: one of that name was removed, and whoever
 * was bound to it finds the new one. Null when nobody is.
 */
export function waitingGroup(store: Store, resource: Resource): string | null {
  const script = listScripts(store, resource.accountId).find((one) => reaches(store, one, resource))
  return script?.groupId ?? null
}

interface Member {
  groupId: string
  name: string
}

/** Moves what is in the group without state into the other one and answers the id that stays. */
function mergeGroups(store: Store, mine: Member, bound: Member, files: ResourceFiles): string {
  const mineOwns = ownsState(store, mine.groupId, files)
  if (mineOwns && ownsState(store, bound.groupId, files)) {
    throw refuseUpload(
      `The local cloud cannot join ${mine.name} and ${bound.name}: both already keep data in different instances.`,
    )
  }
  const [stays, goes] = mineOwns ? [mine.groupId, bound.groupId] : [bound.groupId, mine.groupId]
  for (const script of listGroupScripts(store, goes)) updateScript(store, { ...script, groupId: stays })
  for (const resource of listGroupResources(store, goes)) moveTo(store, resource, stays, files)
  store.run('DELETE FROM groups WHERE id = ?', goes)
  return stays
}

/** Data that workers of the group use; what no worker uses can be carried elsewhere. */
function ownsState(store: Store, groupId: string, files: ResourceFiles): boolean {
  const used = listGroupResources(store, groupId).filter((resource) => files.isStored(resource))
  if (used.some((resource) => isBound(store, resource))) return true
  if (listGroupWorkflows(store, groupId).length > 0) return true
  return listGroupScripts(store, groupId).some((script) => listNamespaces(store, script.id).length > 0)
}

function moveTo(store: Store, resource: Resource, groupId: string, files: ResourceFiles): void {
  if (files.isStored(resource)) files.carry(resource, groupId)
  placeResource(store, resource.id, groupId)
  dropEmptyGroup(store, resource.groupId)
}

/** Forgets a group nobody is in any more; true when it did. */
export function dropEmptyGroup(store: Store, groupId: string): boolean {
  if (listGroupScripts(store, groupId).length > 0 || listGroupResources(store, groupId).length > 0)
    return false
  return store.run('DELETE FROM groups WHERE id = ?', groupId) > 0
}
