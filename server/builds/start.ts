import { chooseModel } from '../connections/model-access.ts'
import { requireReadable } from '../connections/model-files.ts'
import { transact } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import { ApiError, conflict } from '../http/errors.ts'
import type { Context } from '../platform.ts'
import { requireActive, requireStillActive } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { lockAllowance, requireAllowance } from './queue/allowance.ts'
import { openRun, requireIdle } from './run/open-run.ts'
import type { Answer } from './run/run-input.ts'
import { loadTicket } from './runs.ts'

export interface StartBuild {
  projectId: string
  ticketId: string
  trigger: RunsTable['trigger']
  answers?: Answer[] | undefined
  attachments?: string[] | undefined
}

/** The project a build is asked for; refused when nothing may be built in it. */
export async function loadBuildable(ctx: Context, projectId: string) {
  const project = await loadProject(ctx, projectId)
  if (ctx.caller.suspendedAt !== null)
    throw new ApiError('forbidden', 'The organization is suspended and cannot build.')
  requireActive(project, 'building')
  return project
}

/** Starts a build now, for the caller; 409 while anything is being built in the project. */
export async function startBuild(ctx: Context, input: StartBuild): Promise<RunsTable> {
  const { organizationId: orgId, plan } = ctx.caller
  const { projectId } = input
  const project = await loadBuildable(ctx, projectId)
  const ticket = await loadTicket(ctx, projectId, input.ticketId)
  if (ticket.type === 'epic') throw conflict('An epic is not built; build the tickets in it.')
  const chosen = await chooseModel(ctx.db, project)
  const keys = [...ticket.attachments, ...(input.attachments ?? [])]
  const files = await requireReadable(ctx.db, project, chosen, keys)
  return transact(ctx.db, async (trx) => {
    await lockAllowance(trx, orgId, plan)
    await lockProject(trx, projectId)
    await requireStillActive(trx, { orgId, id: projectId }, 'building')
    const at = ctx.clock.now()
    await requireIdle(trx, projectId)
    await requireAllowance(trx, orgId, plan, at)
    return openRun(trx, ctx.jobs, {
      orgId,
      projectId,
      ticketId: ticket.id,
      trigger: input.trigger,
      scopes: [...ctx.caller.scopes],
      actor: ctx.caller.actorId,
      chosen,
      answers: input.answers,
      files,
      at,
    })
  })
}
