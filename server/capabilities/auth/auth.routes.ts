import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { refuseUnbuilt } from '../operator/unbuilt.ts'

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

export const authRoutes = group('Capabilities', {
  listAppUsers: endpoint({
    route: 'GET /projects/:projectId/capabilities/auth/users',
    scope: 'projects:read',
    summary: 'The users of the app, newest first',
    query: limited,
    returns: z.array(AppUser),
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'auth'),
  }),
  setAppUserRole: endpoint({
    route: 'POST /projects/:projectId/capabilities/auth/users/:userId/role',
    scope: 'projects:write',
    summary: 'Appoint a user of the app, or take it back',
    body: z.object({ role: z.enum(['staff', 'member']) }),
    returns: AppUser,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'auth'),
  }),
  eraseAppUser: endpoint({
    route: 'DELETE /projects/:projectId/capabilities/auth/users/:userId',
    scope: 'projects:write',
    summary: 'Erase a user of the app for good',
    returns: Erased,
    fails: ['not_enabled'],
    handle: ({ ctx, params }) => refuseUnbuilt(ctx, params, 'auth'),
  }),
})
