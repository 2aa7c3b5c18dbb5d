import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import { limitParam } from '../http/query.ts'
import { captureTicket } from './capture.ts'
import { NewTicket, Ticket, TicketChange } from './ticket.ts'
import { createTicket, getTicket, listTickets } from './tickets.ts'
import { updateTicket } from './update-ticket.ts'

export const ticketRoutes = group('Tickets', {
  listTickets: endpoint({
    route: 'GET /projects/:projectId/tickets',
    scope: 'projects:read',
    summary: 'List tickets, newest first',
    description: 'Without a limit every ticket is returned.',
    query: z.object({ limit: limitParam(500).optional() }),
    returns: z.array(Ticket),
    handle: ({ ctx, params, query }) => listTickets(ctx, params.projectId, query.limit),
  }),
  createTicket: endpoint({
    route: 'POST /projects/:projectId/tickets',
    scope: 'tickets:write',
    summary: 'Write a ticket',
    body: NewTicket,
    returns: Ticket,
    handle: ({ ctx, params, body }) => createTicket(ctx, params.projectId, body),
  }),
  captureTicket: endpoint({
    route: 'POST /projects/:projectId/tickets/capture',
    scope: 'tickets:write',
    summary: 'Capture a ticket from a sentence',
    description:
      'The sentence is kept verbatim in `origin`. If the model fails, the sentence alone makes the ticket.',
    body: z.object({ text: z.string().trim().min(1).max(8000) }),
    returns: Ticket,
    fails: ['model_required', 'conflict'],
    idempotent: true,
    handle: ({ ctx, params, body }) => captureTicket(ctx, params.projectId, body.text),
  }),
  getTicket: endpoint({
    route: 'GET /projects/:projectId/tickets/:ticketId',
    scope: 'projects:read',
    summary: 'Read one ticket',
    returns: Ticket,
    handle: ({ ctx, params }) => getTicket(ctx, params.projectId, params.ticketId),
  }),
  updateTicket: endpoint({
    route: 'PATCH /projects/:projectId/tickets/:ticketId',
    scope: 'tickets:write',
    summary: 'Change fields of a ticket',
    body: TicketChange,
    returns: Ticket,
    handle: ({ ctx, params, body }) => updateTicket(ctx, params.projectId, params.ticketId, body),
  }),
})
