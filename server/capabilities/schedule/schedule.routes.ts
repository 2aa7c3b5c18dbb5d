import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const Time = z.string()

const ScheduledJob = z.object({
  name: z.string(),
  repeat: z.string(),
  nextRunAt: Time.nullable(),
  lastRunAt: Time.nullable(),
  lastStatus: z.enum(['ok', 'failed', 'skipped']).nullable(),
  lastDurationMs: z.int().nullable(),
  attempts: z.int(),
  lastError: z.string().nullable(),
  paused: z.boolean(),
})

export const scheduleRoutes = group('Capabilities', {
  listScheduledJobs: endpoint({
    route: 'GET /projects/:projectId/capabilities/schedule/jobs',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the schedules of the app, soonest first',
    returns: z.array(ScheduledJob),
    fails: READER_FAILS,
    handle: async ({ ctx, params }) => {
      const project = await requireServing(ctx, params.projectId, 'schedule')
      const result = z.array(ScheduledJob)
      return callOperator(ctx, project, { tier: 'production', method: 'GET', path: '/schedule/jobs', result })
    },
  }),
})
