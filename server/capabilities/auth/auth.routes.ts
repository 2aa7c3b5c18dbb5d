import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'
import { requireServing } from '../operator/serving.ts'
import { erasePerson } from './erasures.ts'
import { Handover, makeHandover } from './handover.ts'
import {
  AppMail,
  AppUser,
  AppUserPage,
  ErasedPerson,
  PeopleCursor,
  readOutbox,
  readPeople,
  readPeoplePage,
  setRole,
} from './people.ts'

const limitQuery = z.object({ limit: limitParam(1000).optional() })
const LIMIT_DEFAULT = 100
const [PAGE_DEFAULT, PAGE_MAX] = [50, 200]

export const authRoutes = group('Capabilities', {
  listAppUsers: operatorEndpoint('auth', {
    route: 'GET /projects/:projectId/capabilities/auth/users',
    scope: 'projects:read',
    summary: 'List the users of the app, newest first',
    query: limitQuery,
    returns: z.array(AppUser),
    handle: ({ ctx, project, query }) => readPeople(ctx, project, query.limit ?? LIMIT_DEFAULT),
  }),
  listAppOutbox: operatorEndpoint('auth', {
    route: 'GET /projects/:projectId/capabilities/auth/outbox',
    // The messages contain codes and links that sign people in, so reading them needs the right to write.
    scope: 'projects:write',
    summary: 'List messages to the users of the app that were not sent, newest first',
    query: limitQuery,
    returns: z.array(AppMail),
    handle: ({ ctx, project, query }) => readOutbox(ctx, project, query.limit ?? LIMIT_DEFAULT),
  }),
  listAppPeople: operatorEndpoint('auth', {
    route: 'GET /projects/:projectId/capabilities/auth/people',
    scope: 'projects:read',
    summary: 'List a page of the users of the app, newest first',
    description: '`q` is a part of a name or an address, or a whole user id.',
    query: z.object({
      q: z.string().max(200).optional(),
      limit: limitParam(PAGE_MAX).optional(),
      cursor: PeopleCursor.optional(),
    }),
    returns: AppUserPage,
    handle: ({ ctx, project, query }) =>
      readPeoplePage(ctx, project, { ...query, limit: query.limit ?? PAGE_DEFAULT }),
  }),
  setAppUserRole: operatorEndpoint('auth', {
    route: 'POST /projects/:projectId/capabilities/auth/users/:userId/role',
    scope: 'projects:write',
    summary: 'Give a user of the app a role, or take it away',
    body: z.object({ role: z.enum(['staff', 'member']) }),
    returns: AppUser,
    handle: ({ ctx, project, params, body }) => setRole(ctx, project, params.userId, body.role),
  }),
  openAppAsStaff: endpoint({
    route: 'POST /projects/:projectId/capabilities/auth/handover',
    scope: 'session',
    needs: ['accounts'],
    summary: 'Enter the live app as staff',
    description:
      'Returns an address that is valid once, for a minute. It signs the caller in to the live app as staff, without its access code. The caller appears among the users of the app. The session ends within half a day.',
    returns: Handover,
    fails: ['not_enabled', 'conflict'],
    handle: async ({ ctx, params }) => makeHandover(ctx, await requireServing(ctx, params.projectId, 'auth')),
  }),
  eraseAppUser: operatorEndpoint('auth', {
    route: 'DELETE /projects/:projectId/capabilities/auth/users/:userId',
    scope: 'projects:write',
    summary: 'Erase a user of the app for good',
    description:
      'Once begun, the service continues the erasure until it is complete; repeating the call continues it at once. The report lists everything that was removed, by whichever call.',
    returns: ErasedPerson,
    handle: ({ ctx, project, params }) => erasePerson(ctx, project, params.userId),
  }),
})
