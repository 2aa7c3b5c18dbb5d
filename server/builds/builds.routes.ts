import * as z from 'zod'
import { StreamedFrame } from '../agent/frames.ts'
import { endpoint, group } from '../endpoint.ts'
import { RawJson } from '../http/endpoint.ts'
import { cursorParam, limitParam, wholeNumberParam } from '../http/query.ts'
import { Attention, listAttention } from './attention.ts'
import { BuildBody, BuildResult, BuildStreamBody, buildAndWait, openBuildStream } from './start.ts'
import { cancelBuild } from './cancel.ts'
import { ProjectModel, ProjectModelChoice, readProjectModel, setProjectModel } from './project-model.ts'
import { readRunEvents, SEQ_MAX } from './stream/events.ts'
import { BuildRun, presentRun } from './run-record.ts'
import { listRuns, loadRun } from './runs.ts'

const EVENTS_MAX = 1000

export const buildRoutes = group('Building', {
  buildTicket: endpoint({
    route: 'POST /projects/:projectId/tickets/:ticketId/build',
    scope: 'build:write',
    needs: ['jobs', 'listener'],
    summary: 'Build a ticket and wait for the result',
    description:
      'Responds when the app is built, or when the build asks questions or says why it wrote nothing. Post again with answers to continue; a question without an answer takes its default. Closing the connection does not cancel the build.',
    body: BuildBody,
    returns: BuildResult,
    fails: [
      'conflict',
      'model_required',
      'attachments_unsupported',
      'model_error',
      'rate_limited',
      'forbidden',
      'unavailable',
    ],
    handle: ({ ctx, params, body }) => buildAndWait(ctx, params, body),
  }),
  streamBuild: endpoint({
    kind: 'sse',
    route: 'POST /projects/:projectId/tickets/:ticketId/build/stream',
    scope: 'build:write',
    needs: ['jobs', 'listener'],
    summary: 'Build a ticket and watch it, or reconnect to a build',
    description:
      'Starts a build, attaches to the running one, or reconnects with the run and the last seq (or Last-Event-ID). Frames of a run are numbered from 1 without gaps; the stream ends with one done or error.',
    body: BuildStreamBody,
    returns: StreamedFrame,
    fails: ['conflict', 'model_required', 'attachments_unsupported', 'rate_limited', 'forbidden'],
    handle: ({ ctx, params, body, request }) =>
      openBuildStream(ctx, params, body, request.headers.get('last-event-id')),
  }),
  cancelBuild: endpoint({
    route: 'POST /projects/:projectId/tickets/:ticketId/build/cancel',
    scope: 'build:write',
    needs: ['metrics'],
    summary: 'Cancel the running build of a ticket',
    returns: z.object({ run: BuildRun }),
    fails: ['conflict'],
    handle: async ({ ctx, params }) => ({ run: await cancelBuild(ctx, params.projectId, params.ticketId) }),
  }),
  getAttention: endpoint({
    route: 'GET /attention',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'List builds that need a person, and those that ended',
    description:
      'The latest build of each ticket in progress or in review, newest first: the 1,000 newest that wait for an answer, and the 200 newest others that were started in the last seven days and ended. A ticket whose build is running or queued is left out, and so are projects that are archived or being deleted.',
    returns: Attention,
    handle: ({ ctx }) => listAttention(ctx),
  }),
  listRuns: endpoint({
    route: 'GET /projects/:projectId/runs',
    scope: 'projects:read',
    summary: 'List build runs, newest first',
    query: z.object({ limit: limitParam(500).default(100), cursor: cursorParam.optional() }),
    returns: z.object({ items: z.array(BuildRun), nextCursor: z.string().nullable(), total: z.int() }),
    handle: ({ ctx, params, query }) => listRuns(ctx, params.projectId, query),
  }),
  getRun: endpoint({
    route: 'GET /projects/:projectId/runs/:runId',
    scope: 'projects:read',
    summary: 'Read one build run',
    returns: BuildRun,
    handle: async ({ ctx, params }) => presentRun(await loadRun(ctx, params.projectId, params.runId)),
  }),
  listRunEvents: endpoint({
    route: 'GET /projects/:projectId/runs/:runId/events',
    scope: 'projects:read',
    summary: 'List the stored frames of a run',
    description: 'At most 1000 at a time, after the given seq.',
    query: z.object({ after: wholeNumberParam(0, SEQ_MAX).default(0) }),
    returns: z.array(StreamedFrame),
    handle: async ({ ctx, params, query }) => {
      const run = await loadRun(ctx, params.projectId, params.runId)
      const events = await readRunEvents(ctx.db, run.id, query.after, EVENTS_MAX)
      return new RawJson(`[${events.map((event) => event.body).join(',')}]`)
    },
  }),
  getProjectModel: endpoint({
    route: 'GET /projects/:projectId/model',
    scope: 'projects:read',
    summary: 'Read the model that a project builds with',
    returns: ProjectModel,
    fails: ['model_required'],
    handle: ({ ctx, params }) => readProjectModel(ctx, params.projectId),
  }),
  setProjectModel: endpoint({
    route: 'PUT /projects/:projectId/model',
    scope: 'projects:write',
    summary: 'Choose the model that a project builds with',
    body: ProjectModelChoice,
    returns: ProjectModel,
    fails: ['model_required'],
    handle: ({ ctx, params, body }) => setProjectModel(ctx, params.projectId, body),
  }),
})
