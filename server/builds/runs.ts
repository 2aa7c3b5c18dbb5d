import { loadTicket } from '../tickets/load-ticket.ts'
import type { Failure } from '../agent/frames.ts'
import type { DeletedRows } from '../db/purge.ts'
import type { RunRow } from '../db/tables/runs.ts'
import type { CallerContext } from '../endpoint.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { decodeCursor, encodeCursor } from '../http/query.ts'
import type { Core } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { rowsOfProject } from '../projects/store.ts'
import { presentRun, SHOWN_COLUMNS } from './run-record.ts'

/** Returns a run of the project. Throws 404 when the project has no such run. */
export async function loadRun(ctx: CallerContext<'db'>, projectId: string, runId: string): Promise<RunRow> {
  const row = await ctx.db
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .where('id', '=', runId)
    .executeTakeFirst()
  if (row === undefined) throw notFound('run')
  return row
}

/** Returns the active run of a ticket; null when it is not being built. Throws 404 for an unknown ticket. */
export async function activeRun(
  ctx: CallerContext<'db'>,
  projectId: string,
  ticketId: string,
): Promise<RunRow | null> {
  await loadProject(ctx, projectId)
  const ticket = await loadTicket(ctx, projectId, ticketId)
  const row = await ctx.db
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', ctx.caller.organizationId)
    .where('ticket_id', '=', ticket.id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return row ?? null
}

/** Returns a page of runs, newest first, with the number of all runs. */
export async function listRuns(
  ctx: CallerContext<'db'>,
  projectId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  await loadProject(ctx, projectId)
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, 'run')
  const ofProject = ctx.db
    .selectFrom('runs')
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
  const [rows, { total }] = await Promise.all([
    ofProject
      .select(SHOWN_COLUMNS)
      .$if(after !== null, (q) =>
        q.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after?.at ?? new Date(0), after?.id ?? '')),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute(),
    ofProject.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const items = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? items.at(-1) : undefined
  const nextCursor = last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id })
  return { items: items.map(presentRun), nextCursor, total }
}

/** Returns the run that continues this one; null while no process has taken it over. */
export async function nextAttempt(platform: Pick<Core, 'db'>, row: RunRow): Promise<RunRow | null> {
  const next = await platform.db
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', row.org_id)
    .where('resumed_from', '=', row.id)
    .where('attempt', '=', row.attempt + 1)
    .executeTakeFirst()
  return next ?? null
}

/** Returns the error for a request that waited for the run. The kind of failure decides the error code. */
export function failureOf(failure: Failure): ApiError {
  if (failure.kind === 'server_error') return new ApiError('server_error', failure.message)
  if (failure.kind === 'unavailable' || failure.kind === 'interrupted') {
    return new ApiError('unavailable', failure.message)
  }
  return new ApiError('model_error', `${failure.kind}: ${failure.message}`)
}

const rowsOfRuns = (table: 'run_events' | 'run_steps'): DeletedRows => ({
  table,
  rows: `select x.ctid from ${table} x join runs r on r.id = x.run_id where r.org_id = $1 and r.project_id = $2`,
})

/** The rows to delete with a project: `$1` is its organization, `$2` its id. */
export const RUNS_OF_PROJECT: readonly DeletedRows[] = [
  rowsOfRuns('run_events'),
  rowsOfRuns('run_steps'),
  rowsOfProject('runs'),
]
