import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const Time = z.string()

const EventsSummary = z.union([
  z.object({
    state: z.literal('ok'),
    windowDays: z.literal(30),
    items: z.array(
      z.object({
        name: z.string(),
        group: z.string().nullable(),
        count: z.number(),
        value: z.number(),
        visitors: z.int(),
        lastAt: Time,
      }),
    ),
  }),
  z.object({ state: z.literal('unavailable') }),
])

export const eventsRoutes = group('Capabilities', {
  getEventsSummary: endpoint({
    route: 'GET /projects/:projectId/capabilities/events/summary',
    scope: 'projects:read',
    summary: 'What people did in the last 30 days, by event and group',
    returns: EventsSummary,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'events'),
  }),
})
