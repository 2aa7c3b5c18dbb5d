import type { Db, Trx } from '../db/database.ts'
import { readConnection } from './connections.ts'
import { readMove } from '../moves/moves.ts'

/**
 * Returns the former account when the project is still in it although another one was connected since; null when the
 * project is in the connected account. Also returns null while a production deployment moves the project, because
 * that deployment uses the connected account. If it fails, the former account is returned again.
 */
export async function accountOfUnmovedProject(
  db: Db | Trx,
  orgId: string,
  projectId: string,
): Promise<string | null> {
  const move = await readMove(db, { id: projectId, org_id: orgId })
  return move?.state === 'waiting' ? move.from_account : null
}

/** Returns the account that a project is in, usable or not; null while none is connected. */
export async function accountIdOf(db: Db | Trx, orgId: string, projectId: string): Promise<string | null> {
  const home = await accountOfUnmovedProject(db, orgId, projectId)
  return home ?? (await readConnection(db, orgId, 'cloudflare'))?.account_id ?? null
}
