import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const Spend = z.object({ month: z.string(), used: z.int(), monthly: z.int() })

export const renderRoutes = group('Capabilities', {
  getRenderSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/render/spend',
    scope: 'projects:read',
    summary: 'Rendered pages of this month',
    returns: Spend,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'render'),
  }),
})
