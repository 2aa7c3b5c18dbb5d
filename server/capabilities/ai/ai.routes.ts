import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const Spend = z.object({ month: z.string(), used: z.int() })
const Answer = z.object({ text: z.string() })
const MODEL_RUN_MS_MAX = 70_000

export const aiRoutes = group('Capabilities', {
  runAi: endpoint({
    route: 'POST /projects/:projectId/capabilities/ai/run',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: "Run a prompt against the app's budget",
    body: z.object({ prompt: z.string().min(1).max(100_000) }),
    returns: Answer,
    fails: [...READER_FAILS, 'rate_limited', 'model_error'],
    handle: async ({ ctx, params, body }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'ai'), {
        tier: 'production',
        method: 'POST',
        path: '/ai/run',
        body,
        timeoutMs: MODEL_RUN_MS_MAX,
        result: Answer,
      }),
  }),
  getAiSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/ai/spend',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the runs of this month',
    returns: Spend,
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      callOperator(ctx, await requireServing(ctx, params.projectId, 'ai'), {
        tier: 'production',
        method: 'GET',
        path: '/ai/spend',
        result: Spend,
      }),
  }),
})
