import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../world/store.ts'
import { sweepFiles } from './products/storage/files.ts'
import { listGroupResources } from './store/resources.ts'
import type { VersionContent } from './types.ts'
import { sweepInstanceFiles } from './products/workflows/instance-files.ts'
import { listGroupWorkflows } from './store/workflows.ts'

const SESSION_LIFE_MS = 60 * 60_000
const TOKEN_RETENTION_MS = 24 * 60 * 60_000

/**
 * Deletes unreferenced data: expired upload sessions, expired tokens, and files of deleted versions. Call it before the first request,
 * because the files of a running upload are unreferenced too and would be deleted.
 */
export async function cleanUp(store: Store, cloudDir: string, now: number): Promise<void> {
  store.transact(() => {
    store.run('DELETE FROM upload_sessions WHERE created_at < ?', now - SESSION_LIFE_MS)
    store.run('DELETE FROM d1_transfers WHERE created_at < ?', now - SESSION_LIFE_MS)
    store.run('DELETE FROM authorization_codes WHERE expires_at < ?', now - TOKEN_RETENTION_MS)
    store.run(
      'DELETE FROM tokens WHERE expires_at < ? OR revoked_at < ?',
      now - TOKEN_RETENTION_MS,
      now - TOKEN_RETENTION_MS,
    )
    store.run(
      'DELETE FROM groups WHERE id NOT IN (SELECT group_id FROM scripts UNION SELECT group_id FROM resources)',
    )
  })
  if (!existsSync(cloudDir)) return
  // Ignore files, for example the `.DS_Store` of a file manager.
  for (const entry of await readdir(cloudDir, { withFileTypes: true }))
    if (entry.isDirectory()) await cleanAccount(store, join(cloudDir, entry.name), entry.name, now)
}

async function cleanAccount(store: Store, dir: string, accountId: string, now: number): Promise<void> {
  const used = usedDigests(store, accountId)
  const pending = store.get('SELECT 1 FROM upload_sessions WHERE account_id = ?', accountId) !== undefined
  // Delete no rows while an upload session is open: the session's files are in the table `assets` before a version names them.
  if (!pending) {
    for (const { hash, sha256 } of store.all<{ hash: string; sha256: string }>(
      'SELECT hash, sha256 FROM assets WHERE account_id = ?',
      accountId,
    )) {
      if (!used.has(sha256))
        store.run('DELETE FROM assets WHERE account_id = ? AND hash = ?', accountId, hash)
    }
  }
  const known = new Set([
    ...used,
    ...store
      .all<{ sha256: string }>('SELECT sha256 FROM assets WHERE account_id = ?', accountId)
      .map((row) => row.sha256),
  ])
  const groups = new Set(
    store.all<{ id: string }>('SELECT id FROM groups WHERE account_id = ?', accountId).map((row) => row.id),
  )
  for (const id of groups) {
    const stateDir = join(dir, id, 'state')
    sweepFiles(stateDir, listGroupResources(store, id))
    const workflowIds = listGroupWorkflows(store, id).map((workflow) => workflow.id)
    sweepInstanceFiles(stateDir, workflowIds, now)
  }
  for (const name of await readdir(dir)) {
    const path = join(dir, name)
    if (name === 'blobs') await removeOldFiles(path, known, now)
    // Delete all asset folders, because each is rebuilt from the blobs when the process of its app starts the next
    // time.
    else if (name === 'assets') await rm(path, { recursive: true, force: true })
    else if (!groups.has(name)) await rm(path, { recursive: true, force: true })
  }
}

function usedDigests(store: Store, accountId: string): Set<string> {
  const used = new Set<string>()
  const rows = store.all<{ content: JsonText<VersionContent> }>(
    'SELECT content FROM versions WHERE script_id IN (SELECT id FROM scripts WHERE account_id = ?)',
    accountId,
  )
  for (const row of rows) {
    const content = JSON.parse(row.content)
    for (const module of content.modules) used.add(module.digest)
    for (const digest of Object.values(content.assets?.files ?? {})) used.add(digest)
  }
  return used
}

/**
 * Deletes the files that are older than an upload session can be and are not in `known`. A newer file may belong to an upload
 * that was interrupted by a crash before its row was written.
 */
async function removeOldFiles(folder: string, known: ReadonlySet<string>, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (!known.has(name) && (await stat(path)).mtimeMs < now - SESSION_LIFE_MS)
      await rm(path, { force: true })
  }
}
