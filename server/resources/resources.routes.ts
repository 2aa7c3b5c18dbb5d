import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { Ceiling, listCeilings } from './ceilings.ts'
import { Removal } from './remove.ts'
import { Reconciliation } from './repair.ts'
import { reconcileProject, removeResource } from './tasks.ts'

export const resourceRoutes = group('Shipping', {
  removeResource: endpoint({
    route: 'DELETE /projects/:projectId/resources/:resourceId',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Destroy one resource in the connected account, with the data it holds',
    description:
      'A capability that needs it goes to `error` with `resource_missing` until it is reconciled or switched on again, which creates it again, empty. Without its production worker the project is offline, which sends `project.rolled_back` like a rollback. A bucket is emptied first, as far as one call has time: while `remaining` (files left, counted up to 1,000) is above zero, the bucket still exists and `data` says what is deleted; call again to continue.',
    returns: Removal,
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => removeResource(ctx, params.projectId, params.resourceId),
  }),
  reconcileProject: endpoint({
    route: 'POST /projects/:projectId/reconcile',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs', 'listener'],
    summary: 'Compare the registry with the connected account and repair what differs',
    description:
      'A missing resource that held data is created again, empty; its `action` and the activity log say so. After a minute the call returns `unavailable` while the work continues; calling again waits for the same work.',
    returns: Reconciliation,
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => reconcileProject(ctx, params.projectId),
  }),
})

export const ceilingRoutes = group('Connections', {
  listCeilings: endpoint({
    route: 'GET /connections/cloudflare/ceilings',
    scope: 'session',
    summary: "Read how much of the connected account's limits is used",
    returns: z.array(Ceiling),
    handle: ({ ctx }) => listCeilings(ctx),
  }),
})
