import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'
import { MonthSpend } from '../operator/spend.ts'

export const renderRoutes = group('Capabilities', {
  getRenderSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/render/spend',
    scope: 'projects:read',
    needs: ['config', 'keyring'],
    summary: 'Rendered pages of this month',
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
