import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const Spend = z.object({ month: z.string(), used: z.int(), monthly: z.int() })

export const videoRoutes = group('Capabilities', {
  getVideoSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/video/spend',
    scope: 'projects:read',
    summary: 'Minutes of video of this month',
    returns: Spend,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'video'),
  }),
})
