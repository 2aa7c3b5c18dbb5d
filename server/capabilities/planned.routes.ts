import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import { ApiError } from '../http/errors.ts'
import { limitParam } from '../http/query.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import type { CapabilityKey } from './capability.ts'
import { capabilityOf } from './catalog.ts'

const limited = z.object({ limit: limitParam(1000).optional() })
const Time = z.string()

const AppUser = z.object({
  id: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  name: z.string(),
  role: z.enum(['staff', 'member']),
  sessions: z.int(),
  methods: z.array(z.string()),
  createdAt: Time,
  lastSeenAt: Time.nullable(),
})
const Erased = z.object({
  userId: z.string(),
  removed: z.record(z.string(), z.int()),
  kept: z.object({ paidOrders: z.int(), sharedRecords: z.int() }),
})
const Team = z.object({
  id: z.string(),
  name: z.string(),
  members: z.int(),
  pendingInvites: z.int(),
  createdAt: Time,
  createdBy: z.string().nullable(),
})
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
const Orders = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      userId: z.string().nullable(),
      productId: z.string(),
      amount: z.int(),
      currency: z.string(),
      status: z.enum(['open', 'paid', 'failed', 'refunded']),
      code: z.string().nullable(),
      createdAt: Time,
      paidAt: Time.nullable(),
      refundedAmount: z.int(),
    }),
  ),
  rollup: z.object({ orders: z.int(), paid: z.int(), revenue: z.record(z.string(), z.int()) }),
})
const Entitlement = z.object({
  userId: z.string(),
  productId: z.string(),
  kind: z.enum(['once', 'subscription']),
  since: Time,
  until: Time.nullable(),
})
const Runs = z.object({ month: z.string(), used: z.int() })
const Spend = z.object({ month: z.string(), used: z.int(), monthly: z.int() })
const MeterUsage = z.object({
  limits: z.array(
    z.object({
      key: z.string(),
      per: z.enum(['user', 'team', 'app']),
      window: z.enum(['hour', 'day', 'week', 'month', 'lifetime']),
      limit: z.number(),
      windowStart: Time.nullable(),
      windowEnd: Time.nullable(),
      spent: z.number(),
      people: z.int(),
    }),
  ),
})
const EventsSummary = z.union([
  z.object({
    state: z.literal('ok'),
    windowDays: z.literal(30),
    items: z.array(
      z.object({
        name: z.string(),
        group: z.string().nullable(),
        count: z.number(),
        value: z.number(),
        visitors: z.int(),
        lastAt: Time,
      }),
    ),
  }),
  z.object({ state: z.literal('unavailable') }),
])

/** Reads of capabilities that this version knows but cannot switch on: they answer as if switched off. */
export const plannedRoutes = group('Capabilities', {
  listAppUsers: endpoint({
    route: 'GET /projects/:projectId/capabilities/auth/users',
    scope: 'projects:read',
    summary: 'The users of the app, newest first',
    query: limited,
    returns: z.array(AppUser),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'auth'),
  }),
  setAppUserRole: endpoint({
    route: 'POST /projects/:projectId/capabilities/auth/users/:userId/role',
    scope: 'projects:write',
    summary: 'Appoint a user of the app, or take it back',
    body: z.object({ role: z.enum(['staff', 'member']) }),
    returns: AppUser,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'auth'),
  }),
  eraseAppUser: endpoint({
    route: 'DELETE /projects/:projectId/capabilities/auth/users/:userId',
    scope: 'projects:write',
    summary: 'Erase a user of the app for good',
    returns: Erased,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'auth'),
  }),
  listTeams: endpoint({
    route: 'GET /projects/:projectId/capabilities/team/teams',
    scope: 'projects:read',
    summary: 'The teams of the app, newest first',
    query: limited,
    returns: z.array(Team),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'team'),
  }),
  listScheduledJobs: endpoint({
    route: 'GET /projects/:projectId/capabilities/schedule/jobs',
    scope: 'projects:read',
    summary: 'The schedules of the app, soonest first',
    returns: z.array(ScheduledJob),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'schedule'),
  }),
  listOrders: endpoint({
    route: 'GET /projects/:projectId/capabilities/pay/orders',
    scope: 'projects:read',
    summary: 'The orders of the app, newest first, with their sums',
    query: limited,
    returns: Orders,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'pay'),
  }),
  listEntitlements: endpoint({
    route: 'GET /projects/:projectId/capabilities/pay/entitlements',
    scope: 'projects:read',
    summary: 'Who has bought what, one row per user and product in force',
    query: limited,
    returns: z.array(Entitlement),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'pay'),
  }),
  runAi: endpoint({
    route: 'POST /projects/:projectId/capabilities/ai/run',
    scope: 'projects:write',
    summary: "Run a prompt against the app's budget",
    body: z.object({ prompt: z.string().min(1).max(100_000) }),
    returns: z.object({ text: z.string() }),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'ai'),
  }),
  getAiSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/ai/spend',
    scope: 'projects:read',
    summary: 'Runs of this month',
    returns: Runs,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'ai'),
  }),
  getRenderSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/render/spend',
    scope: 'projects:read',
    summary: 'Rendered pages of this month',
    returns: Spend,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'render'),
  }),
  getVideoSpend: endpoint({
    route: 'GET /projects/:projectId/capabilities/video/spend',
    scope: 'projects:read',
    summary: 'Minutes of video of this month',
    returns: Spend,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'video'),
  }),
  getMeterUsage: endpoint({
    route: 'GET /projects/:projectId/capabilities/meter/usage',
    scope: 'projects:read',
    summary: 'What is spent of each allowance in its window',
    returns: MeterUsage,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'meter'),
  }),
  getEventsSummary: endpoint({
    route: 'GET /projects/:projectId/capabilities/events/summary',
    scope: 'projects:read',
    summary: 'What people did in the last 30 days, by event and group',
    returns: EventsSummary,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => answerOff(ctx, params, 'events'),
  }),
})

async function answerOff(
  ctx: Context,
  { projectId }: { projectId: string },
  key: CapabilityKey,
): Promise<never> {
  await loadProject(ctx, projectId)
  throw new ApiError('not_enabled', `${capabilityOf(key).title} is not available in this version yet.`)
}
