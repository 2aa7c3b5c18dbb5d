import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { readAnalytics, readErrors, readTraffic } from './signals.ts'

const Counts = z.object({ requests: z.int(), errors: z.int() })

const Analytics = z
  .discriminatedUnion('state', [
    z.object({
      state: z.literal('ok'),
      windowHours: z.int(),
      ...Counts.shape,
      series: z.array(Counts.extend({ at: z.iso.datetime() })).describe('Hour by hour, oldest first.'),
    }),
    z.object({ state: z.literal('unavailable') }),
  ])
  .meta({ id: 'Analytics' })

const LiveErrors = z
  .object({
    state: z.enum(['ok', 'unavailable']),
    items: z.array(
      z.object({
        message: z.string(),
        stack: z
          .string()
          .nullable()
          .describe(
            'Of the latest. It names places in the sources while the release that logged it is live.',
          ),
        route: z.string().nullable(),
        count: z.int(),
        lastAt: z.iso.datetime(),
      }),
    ),
    reason: z.string().optional().describe('Why nothing can be read.'),
  })
  .meta({ id: 'LiveErrors' })

const Traffic = z
  .object({
    projects: z.array(Counts.extend({ projectId: z.string(), name: z.string() })),
    covered: z.int().describe('How many live projects these figures span; 0 when none can be read.'),
  })
  .meta({ id: 'Traffic' })

export const signalRoutes = group('Live signals', {
  getAnalytics: endpoint({
    route: 'GET /projects/:projectId/analytics',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the requests and errors of the live app of the last 24 hours',
    description:
      "Errors are exceptions of the app's code and invocations that a limit ended. At most a minute old. `unavailable` while the project is not live or the account returns no figures.",
    returns: Analytics,
    handle: ({ ctx, params }) => readAnalytics(ctx, params.projectId),
  }),
  listLiveErrors: endpoint({
    route: 'GET /projects/:projectId/errors',
    scope: 'projects:read',
    needs: ['accounts', 'checkers', 'packages'],
    summary: 'List the errors of the live app of the last 24 hours, equal ones grouped, the latest first',
    returns: LiveErrors,
    handle: ({ ctx, params }) => readErrors(ctx, params.projectId),
  }),
  getTraffic: endpoint({
    route: 'GET /traffic',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the requests and errors of every live project of the last 24 hours',
    description:
      'Most recently deployed first; projects without traffic are left out. At most a minute old, and at most the 400 projects deployed last.',
    returns: Traffic,
    handle: ({ ctx }) => readTraffic(ctx),
  }),
})
