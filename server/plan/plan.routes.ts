import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { cursorParam, limitParam } from '../http/query.ts'
import { loadProject } from '../projects/projects.ts'
import { PlanFrame, PlanMessage } from './message.ts'
import { listMessages } from './messages.ts'
import { PlanBody, PlanStreamBody, replyNow, streamTurn } from './plan.ts'
import { stopTurn } from './stop-turn.ts'

const TURN_ERRORS = [
  'conflict',
  'model_required',
  'attachments_unsupported',
  'model_error',
  'forbidden',
  'unavailable',
] as const

export const planRoutes = group('Plan thread', {
  getReadme: endpoint({
    route: 'GET /projects/:projectId/readme',
    scope: 'projects:read',
    summary: 'Read the product README',
    description: 'Markdown, written by the Plan agent; an empty text before there is one.',
    returns: z.string(),
    handle: async ({ ctx, params }) => (await loadProject(ctx, params.projectId)).readme ?? '',
  }),
  listPlanMessages: endpoint({
    route: 'GET /projects/:projectId/plan/messages',
    scope: 'projects:read',
    summary: 'List the messages of the plan thread, newest first',
    description: 'A reply is listed once it is complete.',
    query: z.object({ limit: limitParam(500).default(100), cursor: cursorParam.optional() }),
    returns: z.object({ items: z.array(PlanMessage), nextCursor: z.string().nullable(), total: z.int() }),
    handle: ({ ctx, params, query }) => listMessages(ctx, params.projectId, query),
  }),
  sendPlanMessage: endpoint({
    route: 'POST /projects/:projectId/plan/message',
    scope: 'tickets:write',
    needs: ['accounts', 'pool', 'listener', 'textWorkers'],
    summary: 'Send the Plan agent a message and wait for its reply',
    description:
      'The agent reads the project and may write tickets and the README. A project has one reply at a time. Closing the connection does not stop it: the reply is in the thread afterwards.',
    body: PlanBody,
    returns: PlanMessage,
    fails: TURN_ERRORS,
    handle: ({ ctx, params, body }) => replyNow(ctx, params.projectId, body),
  }),
  streamPlan: endpoint({
    kind: 'sse',
    route: 'POST /projects/:projectId/plan/stream',
    scope: 'tickets:write',
    needs: ['accounts', 'pool', 'listener', 'textWorkers'],
    summary: 'Send the Plan agent a message and watch its reply, or run a failed exchange again',
    description:
      'Frames are delta (text, reasoning, characters of a tool call) and tool (one per call), then done with the stored reply, or error. Frames are not stored: after a lost connection read the plan messages.',
    body: PlanStreamBody,
    returns: PlanFrame,
    fails: ['conflict', 'model_required', 'attachments_unsupported', 'forbidden'],
    handle: ({ ctx, params, body }) => streamTurn(ctx, params.projectId, body),
  }),
  stopPlan: endpoint({
    route: 'POST /projects/:projectId/plan/stop',
    scope: 'tickets:write',
    needs: ['listener'],
    summary: 'Stop the reply that is being written',
    description:
      'The text so far is kept with the status stopped. `stopped` is false when no reply was being written.',
    returns: z.object({ stopped: z.boolean() }),
    handle: ({ ctx, params }) => stopTurn(ctx, params.projectId),
  }),
  retryPlan: endpoint({
    route: 'POST /projects/:projectId/plan/retry',
    scope: 'tickets:write',
    needs: ['accounts', 'pool', 'listener', 'textWorkers'],
    summary: 'Run the last failed exchange again and wait for its reply',
    description:
      'The failed reply is replaced. The agent learns what it has already written, so that nothing is created twice.',
    returns: PlanMessage,
    fails: ['invalid_request', ...TURN_ERRORS],
    handle: ({ ctx, params }) => replyNow(ctx, params.projectId, { retry: true }),
  }),
})
