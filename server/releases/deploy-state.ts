import type { Db } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { MAIN_REF, oidOf, readRef } from '../git/store.ts'
import { notFound } from '../http/errors.ts'
import { MOVE_COLUMNS, MOVES_AS_MOVE, presentMove } from '../moves/list-moves.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'

/** Returns the commit of the newest green build, or null before the first one. */
export const builtSha = (db: Db, projectId: string) => readRef(db, projectId, MAIN_REF)

/** Returns the live version, the newest built version and the result of the last deployment. */
export async function readDeployState(ctx: CallerContext<'db'>, projectId: string) {
  const row = await selectState(ctx.db, ctx.caller.organizationId, projectId)
  if (row === undefined) throw notFound('project')
  const isLive = row.live_id !== null
  const failed = row.last_status === 'failed' && row.provision_error !== null
  return {
    state: deployState(row.lifecycle, { isGoing: row.last_status === 'deploying', failed, isLive }),
    // The row of the project has the address that visitors use, which may be a custom domain. The row of the deployment
    // has the address of the worker.
    url: isLive ? (row.url ?? row.live_url) : null,
    sha: row.live_sha,
    builtSha: row.built_sha,
    upToDate: isLive && row.live_sha === row.built_sha,
    deployedAt: row.live_at?.toISOString() ?? null,
    error: failed ? row.last_error : null,
    move: presentMove(row),
  }
}

// A single statement. If a deployment ended between two statements, it would be shown as ended while the old version is shown as live.
const selectState = (db: Db, orgId: string, projectId: string) =>
  db
    .selectFrom(PROJECTS_AS_P)
    .leftJoin('deployments as live', (join) =>
      join
        .onRef('live.project_id', '=', 'p.id')
        .on('live.tier', '=', 'production')
        .on('live.status', '=', 'live'),
    )
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('deployments')
          .select(['status', 'error'])
          .whereRef('project_id', '=', 'p.id')
          .where('tier', '=', 'production')
          .where('status', 'in', ['deploying', 'live', 'failed'])
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['p.lifecycle', 'p.url', 'p.provision_error'])
    .select(({ ref }) => oidOf(ref('p.id'), MAIN_REF).as('built_sha'))
    .select(['live.id as live_id', 'live.sha as live_sha', 'live.url as live_url', 'live.live_at'])
    .select(['last.status as last_status', 'last.error as last_error'])
    .leftJoin(MOVES_AS_MOVE, 'move.project_id', 'p.id')
    .select(MOVE_COLUMNS)
    .where('p.org_id', '=', orgId)
    .where('p.id', '=', projectId)
    .executeTakeFirst()

function deployState(
  lifecycle: 'offline' | 'live' | 'archived',
  ship: { isGoing: boolean; failed: boolean; isLive: boolean },
) {
  if (lifecycle === 'archived') return 'archived' as const
  if (ship.isGoing) return 'deploying' as const
  if (ship.failed) return 'error' as const
  return ship.isLive ? ('live' as const) : ('none' as const)
}
