import { hexId } from '../../world/ids.ts'
import type { Store } from '../../world/store.ts'
import type { ResourceFiles } from '../products/storage/data.ts'
import { refuseUpload } from '../products/binding.ts'
import { bindingTargets, reachedResources, reachedScripts } from '../products/index.ts'
import { listGroupResources, setResourceGroup, type Resource } from '../store/resources.ts'
import {
  findScript,
  listGroupScripts,
  listNamespaces,
  listScripts,
  readActiveVersion,
  readLatestVersion,
  updateScript,
} from '../store/scripts.ts'
import type { Binding } from '../types.ts'
import { listGroupWorkflows } from '../store/workflows.ts'

interface GroupMembers {
  scripts: { groupId: string; name: string }[]
  resources: Resource[]
}

/** Returns the scripts and resources that bindings use. Omits deleted targets. */
export function findReachableMembers(
  store: Store,
  accountId: string,
  name: string,
  bindings: Binding[],
): GroupMembers {
  const reached = bindingTargets(bindings)
  return {
    scripts: reachedScripts(name, bindings)
      .map((target) => findScript(store, accountId, target))
      .filter((script) => script !== null),
    resources: reachedResources(store, accountId, reached),
  }
}

/**
 * Finds or creates the group of a script: the workers and resources that one workerd process serves. A worker
 * and everything it has bindings to must be in one process, so a script joins the group of the scripts that
 * it binds, and a resource joins the group of the script that binds it first.
 */
export function assignGroup(
  store: Store,
  script: { accountId: string; name: string; bindings: Binding[] },
  files: ResourceFiles,
): string {
  const { accountId, name, bindings } = script
  const reached = findReachableMembers(store, accountId, name, bindings)
  const shared = reached.resources.filter((resource) => isBound(store, resource))
  const own = findScript(store, accountId, name)
  const neighbours = [...reached.scripts, ...shared]
  let groupId = own?.groupId ?? neighbours[0]?.groupId ?? groupNamed(store, accountId, groupName(name))
  // Merge each group once, even when it contains several neighbours: a merge deletes one of the two groups.
  const others = new Map(neighbours.map((neighbour) => [neighbour.groupId, neighbour]))
  others.delete(groupId)
  for (const other of others.values()) groupId = mergeGroups(store, { groupId, name }, other, files)
  // Read the resources again, because `mergeGroups` may have moved some to another group.
  for (const resource of findReachableMembers(store, accountId, name, bindings).resources) {
    if (resource.groupId !== groupId) moveTo(store, resource, groupId, files)
  }
  return groupId
}

/** Returns the group of the resources that no worker has been bound to yet. */
export function unboundGroup(store: Store, accountId: string): string {
  return groupNamed(store, accountId, UNBOUND_GROUP)
}

// No worker can have a name with a leading underscore, so no script joins this group.
const UNBOUND_GROUP = '_unbound'

/** Returns the name that all workers of a project share. Their names differ only in the suffixes below. */
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

/**
 * Returns whether a worker in the resource's own group binds the resource. A bound resource cannot move to another group without that
 * worker.
 */
function isBound(store: Store, resource: Resource): boolean {
  return listGroupScripts(store, resource.groupId).some((script) => reachesResource(store, script, resource))
}

/** Returns whether the deployed or the latest version of a script uses the resource. */
function reachesResource(
  store: Store,
  script: { id: string; accountId: string },
  resource: Resource,
): boolean {
  const versions = [readActiveVersion(store, script.id), readLatestVersion(store, script.id)]
  const bindings = versions.flatMap((version) => version?.content.bindings ?? [])
  return reachedResources(store, script.accountId, bindingTargets(bindings)).some(
    ({ id }) => id === resource.id,
  )
}

/**
 * Returns the group of a worker that already has a binding to a new resource, because the worker binds by
 * name and an earlier resource of that name was deleted. Null when there is none.
 */
export function groupBoundByName(store: Store, resource: Resource): string | null {
  const script = listScripts(store, resource.accountId).find((one) => reachesResource(store, one, resource))
  return script?.groupId ?? null
}

interface GroupMember {
  groupId: string
  name: string
}

/**
 * Moves all workers and resources of one of the two groups into the other, and returns the id of the remaining group.
 * Resources move with their data. Data of Durable Objects and workflows cannot move, so the call throws when both
 * groups have Durable Object classes or workflows.
 */
function mergeGroups(store: Store, mine: GroupMember, bound: GroupMember, files: ResourceFiles): string {
  const mineIsFixed = keepsObjects(store, mine.groupId)
  if (mineIsFixed && keepsObjects(store, bound.groupId)) {
    throw refuseUpload(
      `The local cloud cannot join ${mine.name} and ${bound.name}: both already keep objects in different instances.`,
    )
  }
  const mineStays =
    mineIsFixed || (!keepsObjects(store, bound.groupId) && keepsData(store, mine.groupId, files))
  const [stays, goes] = mineStays ? [mine.groupId, bound.groupId] : [bound.groupId, mine.groupId]
  for (const script of listGroupScripts(store, goes)) updateScript(store, { ...script, groupId: stays })
  for (const resource of listGroupResources(store, goes)) moveTo(store, resource, stays, files)
  store.run('DELETE FROM groups WHERE id = ?', goes)
  return stays
}

/**
 * Returns whether the group has Durable Object classes or workflows, whose data cannot move to another
 * process.
 */
function keepsObjects(store: Store, groupId: string): boolean {
  if (listGroupWorkflows(store, groupId).length > 0) return true
  return listGroupScripts(store, groupId).some((script) => listNamespaces(store, script.id).length > 0)
}

/** Returns whether the group's workers use resources with data. Keeping this group avoids moving the data. */
const keepsData = (store: Store, groupId: string, files: ResourceFiles): boolean =>
  listGroupResources(store, groupId).some((resource) => files.isStored(resource) && isBound(store, resource))

function moveTo(store: Store, resource: Resource, groupId: string, files: ResourceFiles): void {
  if (files.isStored(resource)) files.moveData(resource, groupId)
  setResourceGroup(store, resource.id, groupId)
  dropEmptyGroup(store, resource.groupId)
}

/** Deletes the group if it has no scripts and resources. Returns whether it was deleted. */
export function dropEmptyGroup(store: Store, groupId: string): boolean {
  if (listGroupScripts(store, groupId).length > 0 || listGroupResources(store, groupId).length > 0)
    return false
  return store.run('DELETE FROM groups WHERE id = ?', groupId) > 0
}
