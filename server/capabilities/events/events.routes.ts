import { endpoint, group } from '../../endpoint.ts'
import { EventsSummary, readSummary } from './summary.ts'

export const eventsRoutes = group('Capabilities', {
  getEventsSummary: endpoint({
    route: 'GET /projects/:projectId/capabilities/events/summary',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Count what people did in the last 30 days, by event and group',
    returns: EventsSummary,
    fails: ['not_enabled', 'conflict'],
    handle: ({ ctx, params }) => readSummary(ctx, params.projectId),
  }),
})
