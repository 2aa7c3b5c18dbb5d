import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'
import { MonthSpend } from '../operator/spend.ts'
import { runRender } from './run.ts'

export const renderRoutes = group('Capabilities', {
  runRender: endpoint({
    kind: 'bytes',
    route: 'POST /projects/:projectId/capabilities/render/run',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: "Render a page on the app's budget",
    description:
      'Renders a path of the live app, or an address of it or of a host in the settings, as the app would: to a PDF file, a picture (PNG) or Markdown.',
    contentType: '*/*',
    body: z.object({ as: z.enum(['pdf', 'screenshot', 'markdown']), url: z.string().min(1).max(2000) }),
    fails: [...READER_FAILS, 'rate_limited'],
    handle: async ({ ctx, params, body }) =>
      runRender(ctx, await requireServing(ctx, params.projectId, 'render'), body),
  }),
  getRenderSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/render/spend',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the number of rendered pages of this month',
    returns: MonthSpend,
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'render'), {
        tier: 'production',
        method: 'GET',
        path: '/render/spend',
        result: MonthSpend,
      }),
  }),
})
