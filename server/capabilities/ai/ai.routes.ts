import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

const Spend = z.object({ month: z.string(), used: z.int() })
const Answer = z.object({ text: z.string() })
const MODEL_RUN_MS_MAX = 70_000

export const aiRoutes = group('Capabilities', {
  runAi: operatorEndpoint('ai', {
    route: 'POST /projects/:projectId/capabilities/ai/run',
    scope: 'projects:write',
    summary: "Run a prompt against the app's budget",
    body: z.object({ prompt: z.string().min(1).max(100_000) }),
    returns: Answer,
    fails: ['rate_limited', 'model_error'],
    handle: ({ ctx, project, body }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'POST',
        path: '/ai/run',
        body,
        timeoutMs: MODEL_RUN_MS_MAX,
        result: Answer,
      }),
  }),
  getAiSpend: operatorEndpoint('ai', {
    route: 'GET /projects/:projectId/capabilities/ai/spend',
    scope: 'projects:read',
    summary: 'Read the runs of this month',
    returns: Spend,
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/ai/spend',
        result: Spend,
      }),
  }),
})
