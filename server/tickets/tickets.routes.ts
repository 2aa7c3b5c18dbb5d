import * as z from 'zod'
import { AttachmentKeys } from '../attachments/load.ts'
import { endpoint, group } from '../endpoint.ts'
import { cursorParam, limitParam } from '../http/query.ts'
import { captureTicket } from './capture.ts'
import { insertTicket } from './insert-ticket.ts'
import {
  NewTicket,
  Ticket,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
  TICKET_TYPES,
  TicketChange,
} from './ticket.ts'
import { listTicketLabels, TicketRollup, ticketRollups, TicketStats, ticketStats } from './ticket-counts.ts'
import { searchTickets } from './ticket-search.ts'
import { listTicketTree, ROOT_KEY } from './ticket-tree.ts'
import { getTicket, listTickets } from './tickets.ts'
import { updateTicket } from './update-ticket.ts'

const pageQuery = { cursor: cursorParam.optional(), limit: limitParam(500).default(100) }
const Filter = z.string().max(100)

export const ticketRoutes = group('Tickets', {
  listTickets: endpoint({
    route: 'GET /projects/:projectId/tickets',
    scope: 'projects:read',
    needs: ['pool', 'streamPool'],
    summary: 'List tickets, newest first',
    description: 'Without a limit every ticket is returned.',
    query: z.object({ limit: limitParam(500).optional() }),
    returns: z.array(Ticket),
    handle: ({ ctx, params, query }) => listTickets(ctx, params.projectId, query.limit),
  }),
  createTicket: endpoint({
    route: 'POST /projects/:projectId/tickets',
    scope: 'tickets:write',
    needs: ['pool'],
    summary: 'Write a ticket',
    body: NewTicket,
    returns: Ticket,
    handle: ({ ctx, params, body }) =>
      insertTicket(ctx, params.projectId, { ...body, origin: null, source: 'human' }),
  }),
  captureTicket: endpoint({
    route: 'POST /projects/:projectId/tickets/capture',
    scope: 'tickets:write',
    needs: ['accounts', 'pool'],
    summary: 'Capture a ticket from a sentence',
    description:
      'The sentence is kept verbatim in `origin`, white space included. If the model fails, the ticket has only the sentence. The model sees the attachments.',
    body: z.object({
      text: z
        .string()
        .max(8000)
        .refine((text) => text.trim() !== '', 'must not be empty'),
      attachments: AttachmentKeys.optional().describe('Kept with the ticket, for its builds.'),
    }),
    returns: Ticket,
    fails: ['model_required', 'attachments_unsupported', 'conflict'],
    idempotent: true,
    handle: ({ ctx, params, body }) => captureTicket(ctx, params.projectId, body),
  }),
  getTicketStats: endpoint({
    route: 'GET /projects/:projectId/tickets/stats',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'Count tickets by status, type and priority',
    returns: TicketStats,
    handle: ({ ctx, params }) => ticketStats(ctx, params.projectId),
  }),
  getTicketTree: endpoint({
    route: 'GET /projects/:projectId/tickets/tree',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'List the tickets directly below another one, oldest first',
    description:
      'Each ticket has the number of its direct children. A parent that is not a ticket of the project is refused.',
    query: z.object({
      parent: z
        .string()
        .max(100)
        .default(ROOT_KEY)
        .describe("A ticket's id, or `root` for tickets without parent."),
      active: z
        .enum(['0', '1'])
        .default('0')
        .describe('`1` leaves out what is done or cancelled, `0` shows all.'),
      ...pageQuery,
    }),
    returns: z.object({
      items: z.array(
        z.object({ ...Ticket.shape, childCount: z.number().int(), openChildCount: z.number().int() }),
      ),
      nextCursor: z.string().nullable(),
    }),
    handle: ({ ctx, params, query }) =>
      listTicketTree(ctx, params.projectId, { ...query, active: query.active === '1' }),
  }),
  searchTickets: endpoint({
    route: 'GET /projects/:projectId/tickets/search',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'Find tickets that satisfy every filter, newest first',
    description:
      'A text without three adjacent letters (a to z) or digits, and a filter by type or priority alone, are searched in ' +
      '50,000 tickets at a time. Such a page may have few tickets or none and still have a next page.',
    query: z.object({
      q: Filter.optional().describe('Part of title or body, case-insensitive, matched literally.'),
      status: z.enum(TICKET_STATUSES).optional(),
      type: z.enum(TICKET_TYPES).optional(),
      priority: z.enum(TICKET_PRIORITIES).optional(),
      label: Filter.optional().describe('A label the ticket has, compared without case.'),
      ...pageQuery,
    }),
    returns: z.object({ items: z.array(Ticket), nextCursor: z.string().nullable() }),
    handle: ({ ctx, params, query }) => searchTickets(ctx, params.projectId, query),
  }),
  listTicketLabels: endpoint({
    route: 'GET /projects/:projectId/tickets/labels',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'List every label in use, the most used first',
    description: 'Labels that differ only in case count as one, in the spelling that was used first.',
    returns: z.array(z.object({ label: z.string(), count: z.number().int() })),
    handle: ({ ctx, params }) => listTicketLabels(ctx, params.projectId),
  }),
  getTicketRollups: endpoint({
    route: 'POST /projects/:projectId/tickets/rollups',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'Count everything below some tickets',
    description:
      'A read that is sent as POST because of the many ids. Ids that are not tickets of the project are left out.',
    body: z.object({ ids: z.array(z.string()).max(500) }),
    returns: z.record(z.string(), TicketRollup),
    handle: ({ ctx, params, body }) => ticketRollups(ctx, params.projectId, body.ids),
  }),
  getTicket: endpoint({
    route: 'GET /projects/:projectId/tickets/:ticketId',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'Read one ticket',
    returns: Ticket,
    handle: ({ ctx, params }) => getTicket(ctx, params.projectId, params.ticketId),
  }),
  updateTicket: endpoint({
    route: 'PATCH /projects/:projectId/tickets/:ticketId',
    scope: 'tickets:write',
    needs: ['pool'],
    summary: 'Change fields of a ticket',
    body: TicketChange,
    returns: Ticket,
    handle: ({ ctx, params, body }) => updateTicket(ctx, params.projectId, params.ticketId, body),
  }),
})
