import type { Store } from '../../world/store.ts'

/** The kinds of resources whose data is in the state folder of a workerd process. */
export type ResourceKind = 'kv' | 'd1' | 'r2'

export interface Resource {
  /** The runtime stores the data under this id, so that a resource recreated under an old name does not find the old data. */
  id: string
  accountId: string
  /** The group of workers whose process stores its data. */
  groupId: string
  kind: ResourceKind
  name: string
  settings: Record<string, string>
  createdAt: number
}

interface ResourceRow {
  id: string
  account_id: string
  group_id: string
  kind: ResourceKind
  name: string
  settings: JsonText<Record<string, string>>
  created_at: number
}

function toResource(row: ResourceRow): Resource {
  return {
    id: row.id,
    accountId: row.account_id,
    groupId: row.group_id,
    kind: row.kind,
    name: row.name,
    settings: JSON.parse(row.settings),
    createdAt: row.created_at,
  }
}

/** Finds a resource of the account by its name or id; null when there is none. */
export function findResource(
  store: Store,
  accountId: string,
  kind: ResourceKind,
  by: { name: string } | { id: string },
): Resource | null {
  const [column, value] = 'id' in by ? ['id', by.id] : ['name', by.name]
  const row = store.get<ResourceRow>(
    `SELECT * FROM resources WHERE account_id = ? AND kind = ? AND ${column} = ?`,
    accountId,
    kind,
    value,
  )
  return row === undefined ? null : toResource(row)
}

export function listResources(store: Store, accountId: string, kind: ResourceKind): Resource[] {
  return store
    .all<ResourceRow>(
      'SELECT * FROM resources WHERE account_id = ? AND kind = ? ORDER BY name',
      accountId,
      kind,
    )
    .map(toResource)
}

export function listGroupResources(store: Store, groupId: string): Resource[] {
  return store
    .all<ResourceRow>('SELECT * FROM resources WHERE group_id = ? ORDER BY kind, name', groupId)
    .map(toResource)
}

export function insertResource(store: Store, resource: Resource): void {
  store.run(
    `INSERT INTO resources (id, account_id, group_id, kind, name, settings, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    resource.id,
    resource.accountId,
    resource.groupId,
    resource.kind,
    resource.name,
    JSON.stringify(resource.settings) satisfies ResourceRow['settings'],
    resource.createdAt,
  )
}

/** Stores the new group of a resource. Call it after moving the data to that group. */
export function setResourceGroup(store: Store, id: string, groupId: string): void {
  store.run('UPDATE resources SET group_id = ? WHERE id = ?', groupId, id)
}

export function renameResource(store: Store, id: string, name: string): void {
  store.run('UPDATE resources SET name = ? WHERE id = ?', name, id)
}

export function deleteResource(store: Store, id: string): void {
  store.run('DELETE FROM resources WHERE id = ?', id)
}
