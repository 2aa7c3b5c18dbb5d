import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { BuildQueue, QueueBody, Queued, queueBuilds, readQueue, removeFromQueue } from './queue/queue.ts'
import { PreviewErrorsBody, storePreviewErrors } from './preview-errors.ts'
import { SteerBody, Steered, steerBuild } from './steer.ts'
import { Usage, readUsage } from './usage.ts'

export const buildControlRoutes = group('Building', {
  steerBuild: endpoint({
    route: 'POST /projects/:projectId/tickets/:ticketId/build/steer',
    scope: 'build:write',
    summary: 'Send a message to the running build',
    description:
      'The agent reads the message before its next model call and does not finish before that. A message that arrives after publishing has begun is given to the next build of the ticket.',
    body: SteerBody,
    returns: Steered,
    fails: ['conflict', 'attachments_unsupported'],
    handle: ({ ctx, params, body }) => steerBuild(ctx, params, body),
  }),
  queueBuilds: endpoint({
    route: 'POST /projects/:projectId/build/queue',
    scope: 'build:write',
    summary: 'Queue tickets to be built one after another',
    description:
      'The tickets are queued in the order given, behind those that wait already, and no connection is held. A ticket that asks questions, fails, or has an attachment that its model cannot read leaves the queue, and the queue continues; `build.refused` of the ticket says why. When the builds of this hour are used up, the queue waits.',
    body: QueueBody,
    returns: Queued,
    fails: ['conflict', 'model_required', 'forbidden'],
    handle: ({ ctx, params, body }) => queueBuilds(ctx, params.projectId, body.ticketIds),
  }),
  getBuildQueue: endpoint({
    route: 'GET /projects/:projectId/build/queue',
    scope: 'projects:read',
    summary: 'Read what is being built and what waits, in order',
    returns: BuildQueue,
    handle: ({ ctx, params }) => readQueue(ctx, params.projectId),
  }),
  removeFromBuildQueue: endpoint({
    route: 'DELETE /projects/:projectId/build/queue/:ticketId',
    scope: 'build:write',
    summary: 'Take a ticket out of the queue; a running build is untouched',
    returns: z.object({ ticketId: z.string() }),
    handle: ({ ctx, params }) => removeFromQueue(ctx, params),
  }),
  storePreviewErrors: endpoint({
    route: 'POST /projects/:projectId/preview-errors',
    scope: 'build:write',
    summary: 'Store errors of the preview for the next build of a ticket',
    description:
      'The newest 50 are kept until the next build of the ticket has read them. An empty list clears them. `stored` is how many are kept now.',
    body: PreviewErrorsBody,
    returns: z.object({ stored: z.int() }),
    handle: ({ ctx, params, body }) => storePreviewErrors(ctx, params.projectId, body),
  }),
  getUsage: endpoint({
    route: 'GET /projects/:projectId/usage',
    scope: 'projects:read',
    summary: 'Read the tokens spent, in total and per model',
    returns: Usage,
    handle: ({ ctx, params }) => readUsage(ctx, params.projectId),
  }),
})
