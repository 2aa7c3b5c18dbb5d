import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

const Runs = z.object({ month: z.string(), used: z.int() })

export const aiRoutes = group('Capabilities', {
  runAi: endpoint({
    route: 'POST /projects/:projectId/capabilities/ai/run',
    scope: 'projects:write',
    summary: "Run a prompt against the app's budget",
    body: z.object({ prompt: z.string().min(1).max(100_000) }),
    returns: z.object({ text: z.string() }),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'ai'),
  }),
  getAiSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/ai/spend',
    scope: 'projects:read',
    summary: 'Runs of this month',
    returns: Runs,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'ai'),
  }),
})
