import type { Db, Trx } from '../db/database.ts'
import { readConnection } from './connections.ts'
import { readMove } from '../moves/moves.ts'

/**
 * Returns the account that a project is still in although another one is connected; null when it is in the
 * connected one. Returns null also while a production deployment moves the project, because the deployment
 * works in the connected account. When that deployment fails, the former account is returned again.
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
