import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { cursorParam, limitParam } from '../../http/query.ts'
import { APP_READ_ERRORS } from '../operator/serving.ts'
import { cancelRun, FlowRun, FlowRunPage, listFlowRuns, readRun } from './runs.ts'

export const flowRoutes = group('Capabilities', {
  listFlowRuns: endpoint({
    route: 'GET /projects/:projectId/capabilities/flow/runs',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: "List the runs of the app's flows, newest first",
    query: z.object({ limit: limitParam(100).optional(), cursor: cursorParam.optional() }),
    returns: FlowRunPage,
    fails: APP_READ_ERRORS,
    handle: ({ ctx, params, query }) => listFlowRuns(ctx, params.projectId, query),
  }),
  getFlowRun: endpoint({
    route: 'GET /projects/:projectId/capabilities/flow/runs/:flowRunId',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read one run of a flow with its steps',
    description: 'Inputs and results of a run are data of the app and are not returned.',
    returns: FlowRun,
    fails: APP_READ_ERRORS,
    handle: ({ ctx, params }) => readRun(ctx, params.projectId, params.flowRunId),
  }),
  cancelFlowRun: endpoint({
    route: 'POST /projects/:projectId/capabilities/flow/runs/:flowRunId/cancel',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Cancel a run of a flow',
    returns: FlowRun,
    fails: APP_READ_ERRORS,
    handle: ({ ctx, params }) => cancelRun(ctx, params.projectId, params.flowRunId),
  }),
})
