import { hexId } from '../world/ids.ts'
import type { Store } from '../world/store.ts'
import { ApiFailure } from './api/failure.ts'
import { findScript, listGroupScripts, listNamespaces, updateScript } from './scripts.ts'
import type { Binding, Script } from './types.ts'

/** Names of the other scripts a worker's bindings reach. */
export function boundScripts(scriptName: string, bindings: Binding[]): string[] {
  const names = bindings.map((binding) => {
    if (binding.type === 'service') return binding['service']
    if (binding.type === 'durable_object_namespace') return binding['script_name']
    return undefined
  })
  return [...new Set(names)].filter((name): name is string => typeof name === 'string' && name !== scriptName)
}

/**
 * Finds or makes the group a script belongs to. Resources shared by two workers must live in one instance, so a
 * script joins the scripts it binds; without any it joins the group of its name.
 */
export function joinGroup(store: Store, accountId: string, name: string, bindings: Binding[]): string {
  const own = findScript(store, accountId, name)
  const bound = boundScripts(name, bindings)
    .map((target) => findScript(store, accountId, target))
    .filter((script) => script !== null)
  let groupId = own?.groupId ?? bound[0]?.groupId ?? groupNamed(store, accountId, groupName(name))
  for (const script of bound) {
    if (script.groupId !== groupId) groupId = mergeGroups(store, { groupId, name }, script)
  }
  return groupId
}

/** Workers of one project share a name up to these endings. */
function groupName(scriptName: string): string {
  return scriptName.replace(/-(?:preview|live|admin|assets)$/, '')
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

/** Moves the scripts of the group without state into the other one and answers the id that stays. */
function mergeGroups(store: Store, mine: { groupId: string; name: string }, bound: Script): string {
  const mineOwns = ownsState(store, mine.groupId)
  if (mineOwns && ownsState(store, bound.groupId)) {
    throw new ApiFailure(
      400,
      10021,
      `The local cloud cannot join ${mine.name} and ${bound.name}: both already keep data in different instances.`,
    )
  }
  const [stays, goes] = mineOwns ? [mine.groupId, bound.groupId] : [bound.groupId, mine.groupId]
  for (const script of listGroupScripts(store, goes)) updateScript(store, { ...script, groupId: stays })
  store.run('DELETE FROM groups WHERE id = ?', goes)
  return stays
}

function ownsState(store: Store, groupId: string): boolean {
  return listGroupScripts(store, groupId).some((script) => listNamespaces(store, script.id).length > 0)
}

/** Forgets a group nobody is in any more; true when it did. */
export function dropEmptyGroup(store: Store, groupId: string): boolean {
  if (listGroupScripts(store, groupId).length > 0) return false
  return store.run('DELETE FROM groups WHERE id = ?', groupId) > 0
}
