import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'
import { AppUser, Erased, erasePerson, readPeople, setRole } from './people.ts'

const limited = z.object({ limit: limitParam(1000).optional() })
const LIMIT_DEFAULT = 100

export const authRoutes = group('Capabilities', {
  listAppUsers: endpoint({
    route: 'GET /projects/:projectId/capabilities/auth/users',
    scope: 'projects:read',
    summary: 'The users of the app, newest first',
    query: limited,
    returns: z.array(AppUser),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) =>
      readPeople(ctx, await requireServing(ctx, params.projectId, 'auth'), query.limit ?? LIMIT_DEFAULT),
  }),
  setAppUserRole: endpoint({
    route: 'POST /projects/:projectId/capabilities/auth/users/:userId/role',
    scope: 'projects:write',
    summary: 'Appoint a user of the app, or take it back',
    body: z.object({ role: z.enum(['staff', 'member']) }),
    returns: AppUser,
    fails: READER_FAILS,
    handle: async ({ ctx, params, body }) =>
      setRole(ctx, await requireServing(ctx, params.projectId, 'auth'), params.userId, body.role),
  }),
  eraseAppUser: endpoint({
    route: 'DELETE /projects/:projectId/capabilities/auth/users/:userId',
    scope: 'projects:write',
    summary: 'Erase a user of the app for good',
    returns: Erased,
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      erasePerson(ctx, await requireServing(ctx, params.projectId, 'auth'), params.userId),
  }),
})
