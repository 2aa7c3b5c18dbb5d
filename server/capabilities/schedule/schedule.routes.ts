import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { callOperator } from '../operator/call.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

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
  listScheduledJobs: operatorEndpoint('schedule', {
    route: 'GET /projects/:projectId/capabilities/schedule/jobs',
    scope: 'projects:read',
    summary: 'List the schedules of the app, soonest first',
    returns: z.array(ScheduledJob),
    handle: ({ ctx, project }) =>
      callOperator(ctx, project, {
        tier: 'production',
        method: 'GET',
        path: '/schedule/jobs',
        result: z.array(ScheduledJob),
      }),
  }),
})
