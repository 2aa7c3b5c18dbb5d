import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'
import { MonthSpend } from '../operator/spend.ts'

const ListedVideo = z.object({
  id: z.string(),
  userId: z.string(),
  // A live worker that an earlier version of the service deployed does not send this field.
  userName: z.string().nullable().default(null),
  name: z.string(),
  status: z.enum(['pending', 'processing', 'ready', 'error']),
  seconds: z.number().nullable(),
  createdAt: z.string(),
})

export const videoRoutes = group('Capabilities', {
  getVideoSpend: operatorEndpoint('video', {
    route: 'GET /projects/:projectId/capabilities/video/spend',
    scope: 'projects:read',
    summary: 'Read the minutes of video of this month',
    returns: MonthSpend,
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/video/spend',
        result: MonthSpend,
      }),
  }),
  listVideos: operatorEndpoint('video', {
    route: 'GET /projects/:projectId/capabilities/video/videos',
    scope: 'projects:read',
    summary: 'List the videos of the live app, newest first',
    query: z.object({ limit: limitParam(1000).default(200) }),
    returns: z.array(ListedVideo),
    handle: ({ ctx, project, query }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: `/video/videos?limit=${query.limit}`,
        result: z.array(ListedVideo),
      }),
  }),
})
