import type { CallerContext } from '../endpoint.ts'
import { notFound } from '../http/errors.ts'

/** Throws 404 when the project has no such ticket. */
export async function loadTicket(ctx: CallerContext<'db'>, projectId: string, ticketId: string) {
  const ticket = await ctx.db
    .selectFrom('tickets')
    .select(['id', 'type', 'attachments'])
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .where('id', '=', ticketId)
    .executeTakeFirst()
  if (ticket === undefined) throw notFound('ticket')
  return ticket
}
