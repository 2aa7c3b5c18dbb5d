import * as z from 'zod'
import type { FileRef } from '../agent/loop/files.ts'
import { AttachmentKeys, findAttachments } from '../attachments/load.ts'
import { requireReadableAttachments } from '../attachments/model-files.ts'
import { type Trx, transact } from '../db/database.ts'
import { json } from '../db/json.ts'
import type { RunRow } from '../db/tables/runs.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { conflict } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import { loadProject } from '../projects/projects.ts'
import { appendRunEvents } from './stream/events.ts'
import { loadTicket } from '../tickets/load-ticket.ts'
import { findModelConnection } from '../connections/models/access.ts'
import type { CallerContext } from '../endpoint.ts'

const TEXT_CHARS_MAX = 8_000

export const SteerBody = z.object({
  text: z.string().trim().min(1).max(TEXT_CHARS_MAX),
  attachments: AttachmentKeys.optional(),
})

export const Steered = z.object({
  delivery: z
    .enum(['delivered', 'next_build'])
    .describe(
      'Whether the running build will read it before its next model call, or the next build of the ticket.',
    ),
})

/**
 * Stores a steer message for the running build. Locks the run's row, so that the run cannot end meanwhile. The run
 * either reads the message or leaves it to the ticket's next build. Any process can handle the request.
 */
export async function steerBuild(
  ctx: CallerContext<'db' | 'clock'>,
  place: { projectId: string; ticketId: string },
  body: z.output<typeof SteerBody>,
): Promise<z.output<typeof Steered>> {
  const project = await loadProject(ctx, place.projectId)
  const ticket = await loadTicket(ctx, place.projectId, place.ticketId)
  await findAttachments(ctx.db, project, body.attachments ?? [])
  return transact(ctx.db, async (trx) => {
    const orgId = ctx.caller.organizationId
    // While the first attempt waited for the lock, a takeover may have closed the run. The second attempt then finds
    // the run that continues it.
    const run = (await lockActive(trx, orgId, ticket.id)) ?? (await lockActive(trx, orgId, ticket.id))
    if (run === null) throw conflict('No build of this ticket is running.')
    const files = await filesFor(trx, project, run, body.attachments)
    const delivery = run.stage === 'publishing' ? ('next_build' as const) : ('delivered' as const)
    const at = ctx.clock.now()
    const { text } = body
    const id = newId('msg')
    await trx
      .insertInto('run_inputs')
      .values({
        id,
        org_id: orgId,
        run_id: run.id,
        ticket_id: ticket.id,
        text,
        files: files.length === 0 ? null : json(files),
        delivery,
        actor: ctx.caller.actorId,
        read_by: null,
        created_at: at,
      })
      .execute()
    await appendRunEvents(trx, run, [{ type: 'steer', id, text, delivery }], at)
    return { delivery }
  })
}

/** Returns the attachments of a steer message. Throws when the model of the run cannot read them. */
async function filesFor(
  trx: Trx,
  project: ProjectIds,
  run: RunRow,
  keys: readonly string[] | undefined,
): Promise<FileRef[]> {
  if (keys === undefined || keys.length === 0) return []
  const connection = await findModelConnection(trx, run.org_id, run.connection_id ?? '')
  if (connection === null) throw conflict('The model of this build was disconnected.')
  return requireReadableAttachments(trx, project, { connection, modelId: run.model }, keys)
}

async function lockActive(trx: Trx, orgId: string, ticketId: string): Promise<RunRow | null> {
  const row = await trx
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('ticket_id', '=', ticketId)
    .where('status', 'in', ['queued', 'running'])
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}
