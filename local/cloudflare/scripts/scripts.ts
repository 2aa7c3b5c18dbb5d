import { randomUUID } from 'node:crypto'
import { hexId } from '../../world/ids.ts'
import type { Row, Store } from '../../world/store.ts'
import type { Deployment, Namespace, Script, ScriptSettings, Version, VersionContent } from '../types.ts'

/** Reads and writes rows. The rules are in the files that call these functions. */

function toScript(row: Row): Script {
  return {
    id: row['id'] as string,
    accountId: row['account_id'] as string,
    groupId: row['group_id'] as string,
    name: row['name'] as string,
    createdAt: row['created_at'] as number,
    modifiedAt: row['modified_at'] as number,
    isOnSubdomain: row['subdomain_enabled'] === 1,
    hasPreviews: row['previews_enabled'] === 1,
    migrationTag: row['migration_tag'] as string | null,
    settings: JSON.parse(row['settings'] as string) as ScriptSettings,
  }
}

function toVersion(row: Row): Version {
  return {
    id: row['id'] as string,
    scriptId: row['script_id'] as string,
    number: row['number'] as number,
    createdAt: row['created_at'] as number,
    content: JSON.parse(row['content'] as string) as VersionContent,
  }
}

function toDeployment(row: Row): Deployment {
  return {
    id: row['id'] as string,
    scriptId: row['script_id'] as string,
    versionId: row['version_id'] as string,
    number: row['number'] as number,
    createdAt: row['created_at'] as number,
    source: row['source'] as string,
    annotations: JSON.parse(row['annotations'] as string) as Record<string, string>,
  }
}

function toNamespace(row: Row): Namespace {
  return {
    id: row['id'] as string,
    scriptId: row['script_id'] as string,
    className: row['class_name'] as string,
    storage: row['storage'] as Namespace['storage'],
    createdAt: row['created_at'] as number,
  }
}

/** Returns null when the account has no such worker. Names are unique only within an account. */
export function findScript(store: Store, accountId: string, name: string): Script | null {
  const row = store.get('SELECT * FROM scripts WHERE account_id = ? AND name = ?', accountId, name)
  return row === undefined ? null : toScript(row)
}

export function findScriptById(store: Store, id: string): Script | null {
  const row = store.get('SELECT * FROM scripts WHERE id = ?', id)
  return row === undefined ? null : toScript(row)
}

export function listScripts(store: Store, accountId: string): Script[] {
  return store.all('SELECT * FROM scripts WHERE account_id = ? ORDER BY name', accountId).map(toScript)
}

export function listGroupScripts(store: Store, groupId: string): Script[] {
  return store.all('SELECT * FROM scripts WHERE group_id = ? ORDER BY name', groupId).map(toScript)
}

/** Returns the script for a host name on an account's subdomain. */
export function findScriptByHost(store: Store, name: string, subdomain: string): Script | null {
  const row = store.get(
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
  return findScript(store, script.accountId, script.name) as Script
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
    JSON.stringify(script.settings),
    script.id,
  )
}

/** Also deletes its versions, deployments and namespaces. */
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
    JSON.stringify(content),
    scriptId,
  )
  return findVersion(store, scriptId, id) as Version
}

export function findVersion(store: Store, scriptId: string, id: string): Version | null {
  const row = store.get('SELECT * FROM versions WHERE script_id = ? AND id = ?', scriptId, id)
  return row === undefined ? null : toVersion(row)
}

/** Newest first. Each version contains its whole list of assets, so pass a limit where possible. */
export function listVersions(store: Store, scriptId: string, limit = -1): Version[] {
  return store
    .all('SELECT * FROM versions WHERE script_id = ? ORDER BY number DESC LIMIT ?', scriptId, limit)
    .map(toVersion)
}

export function readLatestVersion(store: Store, scriptId: string): Version | null {
  return listVersions(store, scriptId, 1)[0] ?? null
}

/** Returns null before the first deployment. */
export function readActiveVersion(store: Store, scriptId: string): Version | null {
  const deployment = readActiveDeployment(store, scriptId)
  return deployment === null ? null : findVersion(store, scriptId, deployment.versionId)
}

function readActiveDeployment(store: Store, scriptId: string): Deployment | null {
  const row = store.get(
    'SELECT * FROM deployments WHERE script_id = ? ORDER BY number DESC LIMIT 1',
    scriptId,
  )
  return row === undefined ? null : toDeployment(row)
}

/** Lists the ten newest deployments, newest first, as at the provider. */
export function listDeployments(store: Store, scriptId: string): Deployment[] {
  return store
    .all('SELECT * FROM deployments WHERE script_id = ? ORDER BY number DESC LIMIT 10', scriptId)
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
    JSON.stringify(deployment.annotations),
    deployment.scriptId,
  )
  return readActiveDeployment(store, deployment.scriptId) as Deployment
}

export function listNamespaces(store: Store, scriptId: string): Namespace[] {
  return store
    .all('SELECT * FROM namespaces WHERE script_id = ? ORDER BY class_name', scriptId)
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

export function renameNamespace(store: Store, id: string, className: string): void {
  store.run('UPDATE namespaces SET class_name = ? WHERE id = ?', className, id)
}

export function deleteNamespace(store: Store, id: string): void {
  store.run('DELETE FROM namespaces WHERE id = ?', id)
}
