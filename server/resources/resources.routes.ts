import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { Ceiling, listCeilings } from './ceilings.ts'
import { reconcileProject, removeResource } from './tasks.ts'

const Named = z.object({ id: z.string(), kind: z.string(), name: z.string() })

export const resourceRoutes = group('Shipping', {
  removeResource: endpoint({
    route: 'DELETE /projects/:projectId/resources/:resourceId',
    scope: 'deploy:write',
    needs: ['config', 'keyring', 'jobs', 'listener'],
    summary: 'Destroy one resource in the connected account, with the data it holds',
    description:
      'A capability that needs it goes to `error` with `resource_missing` until it is reconciled or switched on again, which makes it anew and empty. Without its production worker the project is offline, which sends `project.rolled_back` like a rollback. A bucket is emptied first, as far as one call has time: while `remaining` (files left, counted up to 1,000) is above zero it still stands and `data` says what is gone; call again to go on.',
    returns: z.object({ removed: z.array(Named), data: z.string().nullable(), remaining: z.number() }),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => removeResource(ctx, params.projectId, params.resourceId),
  }),
  reconcileProject: endpoint({
    route: 'POST /projects/:projectId/reconcile',
    scope: 'deploy:write',
    needs: ['config', 'keyring', 'jobs', 'listener'],
    summary: 'Compare the registry with the connected account and repair what differs',
    description:
      'What holds data and is gone comes back empty, which its `action` and the activity log say. What is still under way after a minute answers `unavailable`; asking again waits for the same work.',
    returns: z.object({
      checked: z.number(),
      repaired: z.array(Named.extend({ action: z.string() })),
      failed: z.array(z.object({ id: z.string(), reason: z.string() })),
    }),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => reconcileProject(ctx, params.projectId),
  }),
})

export const ceilingRoutes = group('Connections', {
  listCeilings: endpoint({
    route: 'GET /connections/cloudflare/ceilings',
    scope: 'session',
    summary: 'How full the connected account is, before a ship or a capability finds it full',
    returns: z.array(Ceiling),
    handle: ({ ctx }) => listCeilings(ctx),
  }),
})
