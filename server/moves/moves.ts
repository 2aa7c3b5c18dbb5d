import { CLOUD_ACCOUNTS } from '../sql/connections.ts'
import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import * as z from 'zod'
import type { Db, Trx } from '../db/database.ts'
import type { MovesTable } from '../db/tables/moves.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { conflict } from '../http/errors.ts'
import { RESOURCES_AS_R } from '../sql/resources.ts'

export type Move = Selectable<MovesTable>
/** Whether the records and files of a live app are copied in its move, or left behind. */
export const LiveDataChoice = z.enum(['copy', 'leave'])
export type LiveDataChoice = z.infer<typeof LiveDataChoice>

/**
 * Records a move for each project whose resources are in an account of the local cloud, now that `accountId` is
 * connected. The project moves when it is next deployed. Cancels moves away from `accountId` itself. Throws `conflict`
 * when another account is connected while a project moves. Call it in the transaction that connects the account, after
 * `lockOrganization`.
 */
export async function recordMoves(
  trx: Trx,
  connected: { orgId: string; accountId: string; before: string | null; liveData: LiveDataChoice; at: Date },
): Promise<void> {
  const { orgId, accountId } = connected
  if (connected.before !== accountId) await requireNoRunningMove(trx, orgId)
  await trx
    .deleteFrom('moves')
    .where('org_id', '=', orgId)
    .where('from_account', '=', accountId)
    .where('state', '=', 'waiting')
    // The app of a held move is still read-only after a failed move. The row is needed until the app is writable again.
    .where('is_held', '=', false)
    .execute()
  if (connected.before !== accountId) await setLiveData(trx, orgId, connected.liveData)
  await addMoves(trx, connected)
}

/**
 * Adds the moves that are missing. A job that was running while the account was connected may have created resources in
 * the account of the local cloud afterwards.
 */
export async function addMoves(
  trx: Trx,
  connected: { orgId: string; accountId: string; liveData: LiveDataChoice; at: Date },
): Promise<void> {
  const { orgId, accountId, liveData, at } = connected
  const found = await trx
    .selectFrom(RESOURCES_AS_R)
    .innerJoin(CLOUD_ACCOUNTS, (join) =>
      join.onRef('a.org_id', '=', 'r.org_id').onRef('a.account_id', '=', 'r.account_id'),
    )
    .select(['r.project_id', 'r.account_id'])
    .distinctOn('r.project_id')
    .where('r.org_id', '=', orgId)
    .where('a.profile', '=', 'local')
    .where('r.account_id', '!=', accountId)
    .orderBy('r.project_id')
    .orderBy('r.updated_at', 'desc')
    .execute()
  if (found.length === 0) return
  await trx
    .insertInto('moves')
    .values(
      found.map(({ project_id, account_id }) => ({
        project_id,
        org_id: orgId,
        from_account: account_id,
        live_data: liveData,
        deployment_id: null,
        cursor: null,
        problem: null,
        updated_at: at,
        created_at: at,
      })),
    )
    .onConflict((it) => it.column('project_id').doNothing())
    .execute()
}

async function requireNoRunningMove(trx: Trx, orgId: string): Promise<void> {
  const going = await trx
    .selectFrom('moves')
    .select('project_id')
    .where('org_id', '=', orgId)
    .where('state', 'in', ['moving', 'removing'])
    .limit(1)
    .executeTakeFirst()
  if (going !== undefined)
    throw conflict(
      'Projects are being moved to the connected account right now. Try again when that is done.',
    )
}

async function setLiveData(trx: Trx, orgId: string, liveData: LiveDataChoice): Promise<void> {
  await trx
    .updateTable('moves')
    .set({ live_data: liveData })
    .where('org_id', '=', orgId)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Returns the move of a project. Returns null when the project is in the connected account and has left nothing in
 * another account.
 */
export async function readMove(db: Db | Trx, project: ProjectIds): Promise<Move | null> {
  const row = await db
    .selectFrom('moves')
    .selectAll()
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns the former account by project id, for each project of the organization whose move no deployment has started yet. All other
 * projects are in the connected account.
 */
export async function formerAccounts(db: Db | Trx, orgId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('moves')
    .select(['project_id', 'from_account'])
    .where('org_id', '=', orgId)
    .where('state', '=', 'waiting')
    .execute()
  return new Map(rows.map((row) => [row.project_id, row.from_account]))
}

/** SQL condition: a project has a move that no deployment has started. */
export const hasWaitingMove = (projectId: Expression<string>) =>
  sql<SqlBool>`exists (select from moves m where m.project_id = ${projectId} and m.state = 'waiting')`

/** Marks the project's move as started by this deployment. Does nothing for a project without a waiting move. */
export async function beginMove(
  trx: Trx,
  ship: {
    orgId: string
    projectId: string
    deploymentId: string
    accountId: string
    liveData: LiveDataChoice | undefined
    at: Date
  },
): Promise<void> {
  const { orgId, projectId, accountId, liveData, at } = ship
  // Moves of other projects may be added too. They get the default `copy`, because `liveData` is meant for this project.
  await addMoves(trx, { orgId, accountId, liveData: 'copy', at })
  await trx
    .updateTable('moves')
    .set({
      state: 'moving',
      deployment_id: ship.deploymentId,
      cursor: null,
      records: 0,
      files: 0,
      updated_at: at,
      ...(liveData !== undefined && { live_data: liveData }),
    })
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('state', '=', 'waiting')
    .where('from_account', '!=', accountId)
    .execute()
}

/** Returns the move that this deployment carries out, or null when the deployment stays within one account. */
export async function moveOf(
  db: Db | Trx,
  deployment: { id: string; org_id: string; project_id: string },
): Promise<Move | null> {
  const move = await readMove(db, { id: deployment.project_id, org_id: deployment.org_id })
  return move?.state === 'moving' && move.deployment_id === deployment.id ? move : null
}

/**
 * Lets the move of a failed deployment wait for the next deployment. The project and its data stay in the former account.
 * Returns whether there was a move.
 */
export async function releaseMove(
  trx: Trx,
  deployment: { id: string; org_id: string; project_id: string },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('moves')
    .set({ state: 'waiting', deployment_id: null, cursor: null, updated_at: at })
    .where('org_id', '=', deployment.org_id)
    .where('deployment_id', '=', deployment.id)
    .where('state', '=', 'moving')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function changeMove(
  db: Db | Trx,
  move: Pick<Move, 'org_id' | 'project_id'>,
  change: Partial<
    Pick<Move, 'cursor' | 'records' | 'files' | 'is_held' | 'problem' | 'state' | 'updated_at'>
  >,
): Promise<void> {
  await db
    .updateTable('moves')
    .set(change)
    .where('org_id', '=', move.org_id)
    .where('project_id', '=', move.project_id)
    .execute()
}

/**
 * Locks and returns the move of a project whose deployment failed and whose app still refuses changes. Returns null
 * when there is no such move.
 */
export async function lockHeldMove(trx: Trx, of: Pick<Move, 'org_id' | 'project_id'>): Promise<Move | null> {
  const row = await trx
    .selectFrom('moves')
    .selectAll()
    .where('org_id', '=', of.org_id)
    .where('project_id', '=', of.project_id)
    .where('state', '=', 'waiting')
    .where('is_held', '=', true)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Returns moves that a dead process or a failed call has left unfinished: moves of apps that still refuse changes, and
 * moves whose removal of old resources failed or has not continued since `idleSince`. Returns at most a hundred.
 */
export async function listUnsettledMoves(db: Db, idleSince: Date): Promise<Move[]> {
  return await db
    .selectFrom('moves')
    .selectAll()
    .where(({ eb, and, or }) =>
      or([
        and([eb('state', '=', 'waiting'), eb('is_held', '=', true)]),
        and([
          eb('state', '=', 'removing'),
          or([eb('problem', 'is not', null), eb('updated_at', '<', idleSince)]),
        ]),
      ]),
    )
    // In random order, because moves that keep failing stay in the list: in a fixed order a hundred of them would keep
    // all others from being listed.
    .orderBy(sql`random()`)
    .limit(100)
    .execute()
}

/** Deletes the move of a project that has nothing left in its former account. Returns false when it was already deleted. */
export async function endMove(trx: Trx, move: Pick<Move, 'org_id' | 'project_id'>): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('moves')
    .where('org_id', '=', move.org_id)
    .where('project_id', '=', move.project_id)
    .where('state', '=', 'removing')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes a move that has not started. Keeps a move because of which the app still refuses changes. */
export async function cancelMove(db: Db, move: Pick<Move, 'org_id' | 'project_id'>): Promise<void> {
  await db
    .deleteFrom('moves')
    .where('org_id', '=', move.org_id)
    .where('project_id', '=', move.project_id)
    .where('state', '=', 'waiting')
    .where('is_held', '=', false)
    .execute()
}

/** Throws `conflict` while a move copies the project. Call it before a change that the copy would miss or overwrite. */
export async function requireNotMoving(db: Db | Trx, project: ProjectIds): Promise<void> {
  if ((await readMove(db, project))?.state === 'moving')
    throw conflict('The project is being moved to another account right now. Try again when that is done.')
}
