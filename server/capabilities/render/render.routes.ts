import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'
import { MonthSpend } from '../operator/spend.ts'
import { runRender } from './run.ts'

export const renderRoutes = group('Capabilities', {
  runRender: operatorEndpoint('render', {
    kind: 'bytes',
    route: 'POST /projects/:projectId/capabilities/render/run',
    scope: 'projects:write',
    summary: "Render a page on the app's budget",
    description:
      'Renders a path of the live app, or an address of it or of a host in the settings, as the app would: to a PDF file, a picture (PNG) or Markdown.',
    contentType: '*/*',
    body: z.object({ as: z.enum(['pdf', 'screenshot', 'markdown']), url: z.string().min(1).max(2000) }),
    fails: ['rate_limited'],
    handle: ({ ctx, project, body }) => runRender(ctx, project, body),
  }),
  getRenderSpend: operatorEndpoint('render', {
    route: 'GET /projects/:projectId/capabilities/render/spend',
    scope: 'projects:read',
    summary: 'Read the number of rendered pages of this month',
    returns: MonthSpend,
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/render/spend',
        result: MonthSpend,
      }),
  }),
})
