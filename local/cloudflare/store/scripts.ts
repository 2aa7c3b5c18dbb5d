import { randomUUID } from 'node:crypto'
import { hexId } from '../../world/ids.ts'
import { requireStored, type Store } from '../../world/store.ts'
import type { Deployment, Namespace, Script, ScriptSettings, Version, VersionContent } from '../types.ts'

/** This file only reads and writes rows. Its callers check permissions, limits and states. */

interface ScriptRow {
  id: string
  account_id: string
  group_id: string
  name: string
  created_at: number
  modified_at: number
  subdomain_enabled: number
  previews_enabled: number
  migration_tag: string | null
  settings: JsonText<ScriptSettings>
}

function toScript(row: ScriptRow): Script {
  return {
    id: row.id,
    accountId: row.account_id,
    groupId: row.group_id,
    name: row.name,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    isOnSubdomain: row.subdomain_enabled === 1,
    hasPreviews: row.previews_enabled === 1,
    migrationTag: row.migration_tag,
    settings: JSON.parse(row.settings),
  }
}

interface VersionRow {
  id: string
  script_id: string
  number: number
  created_at: number
  content: JsonText<VersionContent>
}

function toVersion(row: VersionRow): Version {
  return {
    id: row.id,
    scriptId: row.script_id,
    number: row.number,
    createdAt: row.created_at,
    content: JSON.parse(row.content),
  }
}

interface DeploymentRow {
  id: string
  script_id: string
  version_id: string
  number: number
  created_at: number
  source: string
  annotations: JsonText<Record<string, string>>
}

function toDeployment(row: DeploymentRow): Deployment {
  return {
    id: row.id,
    scriptId: row.script_id,
    versionId: row.version_id,
    number: row.number,
    createdAt: row.created_at,
    source: row.source,
    annotations: JSON.parse(row.annotations),
  }
}

interface NamespaceRow {
  id: string
  script_id: string
  class_name: string
  storage: Namespace['storage']
  created_at: number
}

function toNamespace(row: NamespaceRow): Namespace {
  return {
    id: row.id,
    scriptId: row.script_id,
    className: row.class_name,
    storage: row.storage,
    createdAt: row.created_at,
  }
}

/** Returns the account's worker with this name; null when there is none. Names are unique only within an account. */
export function findScript(store: Store, accountId: string, name: string): Script | null {
  const row = store.get<ScriptRow>('SELECT * FROM scripts WHERE account_id = ? AND name = ?', accountId, name)
  return row === undefined ? null : toScript(row)
}

export function findScriptById(store: Store, id: string): Script | null {
  const row = store.get<ScriptRow>('SELECT * FROM scripts WHERE id = ?', id)
  return row === undefined ? null : toScript(row)
}

export function listScripts(store: Store, accountId: string): Script[] {
  return store
    .all<ScriptRow>('SELECT * FROM scripts WHERE account_id = ? ORDER BY name', accountId)
    .map(toScript)
}

export function listGroupScripts(store: Store, groupId: string): Script[] {
  return store.all<ScriptRow>('SELECT * FROM scripts WHERE group_id = ? ORDER BY name', groupId).map(toScript)
}

/** Returns the script for a host name on an account's subdomain. */
export function findScriptByHost(store: Store, name: string, subdomain: string): Script | null {
  const row = store.get<ScriptRow>(
    `SELECT scripts.* FROM scripts JOIN accounts ON accounts.id = scripts.account_id
     WHERE scripts.name = ? AND accounts.subdomain = ? AND scripts.subdomain_enabled = 1`,
    name,
    subdomain,
  )
  return row === undefined ? null : toScript(row)
}

export function insertScript(
  store: Store,
  script: { accountId: string; groupId: string; name: string; at: number },
): Script {
  store.run(
    'INSERT INTO scripts (id, account_id, group_id, name, created_at, modified_at) VALUES (?, ?, ?, ?, ?, ?)',
    hexId(),
    script.accountId,
    script.groupId,
    script.name,
    script.at,
    script.at,
  )
  return requireStored(findScript(store, script.accountId, script.name))
}

export function updateScript(store: Store, script: Script): void {
  store.run(
    `UPDATE scripts SET group_id = ?, modified_at = ?, subdomain_enabled = ?, previews_enabled = ?,
       migration_tag = ?, settings = ? WHERE id = ?`,
    script.groupId,
    script.modifiedAt,
    Number(script.isOnSubdomain),
    Number(script.hasPreviews),
    script.migrationTag,
    JSON.stringify(script.settings) satisfies ScriptRow['settings'],
    script.id,
  )
}

/** Deletes a worker with its versions, deployments and namespaces. */
export function deleteScript(store: Store, script: Script): void {
  store.run('DELETE FROM scripts WHERE id = ?', script.id)
}

export function insertVersion(store: Store, scriptId: string, content: VersionContent, at: number): Version {
  const id = randomUUID()
  store.run(
    `INSERT INTO versions (id, script_id, number, created_at, content)
     SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ? FROM versions WHERE script_id = ?`,
    id,
    scriptId,
    at,
    JSON.stringify(content) satisfies VersionRow['content'],
    scriptId,
  )
  return requireStored(findVersion(store, scriptId, id))
}

export function findVersion(store: Store, scriptId: string, id: string): Version | null {
  const row = store.get<VersionRow>('SELECT * FROM versions WHERE script_id = ? AND id = ?', scriptId, id)
  return row === undefined ? null : toVersion(row)
}

/**
 * Lists versions, newest first. Pass a `limit` where possible, because each version contains its whole list
 * of assets.
 */
export function listVersions(store: Store, scriptId: string, limit = -1): Version[] {
  return store
    .all<VersionRow>(
      'SELECT * FROM versions WHERE script_id = ? ORDER BY number DESC LIMIT ?',
      scriptId,
      limit,
    )
    .map(toVersion)
}

export function readLatestVersion(store: Store, scriptId: string): Version | null {
  return listVersions(store, scriptId, 1)[0] ?? null
}

/** Returns the deployed version; null before the first deployment. */
export function readActiveVersion(store: Store, scriptId: string): Version | null {
  const deployment = readActiveDeployment(store, scriptId)
  return deployment === null ? null : findVersion(store, scriptId, deployment.versionId)
}

function readActiveDeployment(store: Store, scriptId: string): Deployment | null {
  const row = store.get<DeploymentRow>(
    'SELECT * FROM deployments WHERE script_id = ? ORDER BY number DESC LIMIT 1',
    scriptId,
  )
  return row === undefined ? null : toDeployment(row)
}

/** Lists the ten newest deployments, newest first, as at the provider. */
export function listDeployments(store: Store, scriptId: string): Deployment[] {
  return store
    .all<DeploymentRow>(
      'SELECT * FROM deployments WHERE script_id = ? ORDER BY number DESC LIMIT 10',
      scriptId,
    )
    .map(toDeployment)
}

export function insertDeployment(
  store: Store,
  deployment: {
    scriptId: string
    versionId: string
    source: string
    annotations: Record<string, string>
    at: number
  },
): Deployment {
  store.run(
    `INSERT INTO deployments (id, script_id, version_id, number, created_at, source, annotations)
     SELECT ?, ?, ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM deployments WHERE script_id = ?`,
    randomUUID(),
    deployment.scriptId,
    deployment.versionId,
    deployment.at,
    deployment.source,
    JSON.stringify(deployment.annotations) satisfies DeploymentRow['annotations'],
    deployment.scriptId,
  )
  return requireStored(readActiveDeployment(store, deployment.scriptId))
}

export function listNamespaces(store: Store, scriptId: string): Namespace[] {
  return store
    .all<NamespaceRow>('SELECT * FROM namespaces WHERE script_id = ? ORDER BY class_name', scriptId)
    .map(toNamespace)
}

/** Counts the Durable Object classes of all workers of an account. */
export function countNamespaces(store: Store, accountId: string): number {
  const row = store.get<{ n: number }>(
    `SELECT count(*) AS n FROM namespaces JOIN scripts ON scripts.id = namespaces.script_id
     WHERE scripts.account_id = ?`,
    accountId,
  )
  return row?.n ?? 0
}

export function insertNamespace(store: Store, namespace: Omit<Namespace, 'id'>): void {
  store.run(
    'INSERT INTO namespaces (id, script_id, class_name, storage, created_at) VALUES (?, ?, ?, ?, ?)',
    hexId(),
    namespace.scriptId,
    namespace.className,
    namespace.storage,
    namespace.createdAt,
  )
}

/** Renames classes, which may swap names. Call it in a transaction. */
export function renameNamespaces(store: Store, renamed: Pick<Namespace, 'id' | 'className'>[]): void {
  const rename = (id: string, className: string) =>
    store.run('UPDATE namespaces SET class_name = ? WHERE id = ?', className, id)
  // Free all old names first, because two classes of a worker can never have the same name.
  for (const { id } of renamed) rename(id, `renaming ${id}`)
  for (const { id, className } of renamed) rename(id, className)
}

export function deleteNamespace(store: Store, id: string): void {
  store.run('DELETE FROM namespaces WHERE id = ?', id)
}
