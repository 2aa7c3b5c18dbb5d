import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

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
    summary: 'The schedules of the app, soonest first',
    returns: z.array(ScheduledJob),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'schedule'),
  }),
})
