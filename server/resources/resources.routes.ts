import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import { reconcileProject, removeResource, rollBackResource } from './tasks.ts'

const Version = z.object({ sha: z.string(), version: z.string().nullable() })
const Named = z.object({ id: z.string(), kind: z.string(), name: z.string() })

export const resourceRoutes = group('Shipping', {
  rollBackResource: endpoint({
    route: 'POST /projects/:projectId/resources/:resourceId/rollback',
    scope: 'deploy:write',
    summary: 'Serve the version before the present one again',
    description:
      "Works for the workers of the app and of its preview. The version that served is off its address for good: rolling back again goes further back. With the capabilities switched since, the old version's source is deployed anew.",
    returns: z.object({
      resourceId: z.string(),
      tier: z.enum(['production', 'preview']),
      url: z.string(),
      from: Version,
      to: Version,
    }),
    fails: ['conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, params }) => rollBackResource(ctx, params.projectId, params.resourceId),
  }),
  removeResource: endpoint({
    route: 'DELETE /projects/:projectId/resources/:resourceId',
    scope: 'deploy:write',
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
