import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { Project } from '../projects/projects.routes.ts'
import { archiveProject, unarchiveProject } from './archive-project.ts'
import { deleteProject } from './delete-project.ts'

const Removed = z.object({ id: z.string(), kind: z.string(), name: z.string() })

const Teardown = z.object({
  remaining: z.int(),
  removed: z.array(Removed),
  failed: z.array(Removed.extend({ reason: z.string() })),
  left: z
    .array(Removed.extend({ reason: z.string() }))
    .describe('Stays in the account, because `leaveStuck` was set.'),
})

export const closingRoutes = group('Projects', {
  deleteProject: endpoint({
    route: 'DELETE /projects/:projectId',
    scope: 'deploy:write',
    needs: ['accounts', 'buckets', 'metrics'],
    summary: 'Delete a project and everything it has in the connected account',
    description:
      'A call takes at most 20 seconds. While `teardown.remaining` is above zero, the project still exists but accepts no builds or ships; call again to continue. At zero it is deleted. The backed-up repository is not touched. With `leaveStuck`, resources that cannot be removed (or all of them while no cloud account is connected) stay in the account and are listed in `left` and in the activity log.',
    body: z.object({ leaveStuck: z.boolean().optional() }),
    returns: z.object({ teardown: Teardown }),
    fails: ['conflict'],
    handle: ({ ctx, params, body }) => deleteProject(ctx, params.projectId, body),
  }),
  archiveProject: endpoint({
    route: 'POST /projects/:projectId/archive',
    scope: 'deploy:write',
    needs: ['pool', 'jobs', 'listener'],
    summary: 'Take a project offline and keep everything it has',
    description:
      'Frees its live slot. The preview is removed too: `previewUrl` is null until the next build or preview. Archiving again changes nothing, except that it tries again to take an app offline that was not.',
    returns: Project,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => archiveProject(ctx, params.projectId),
  }),
  unarchiveProject: endpoint({
    route: 'POST /projects/:projectId/unarchive',
    scope: 'deploy:write',
    needs: ['pool'],
    summary: 'Bring an archived project back; ship it to serve again',
    description: 'Changes nothing for a project that is not archived.',
    returns: Project,
    fails: ['conflict'],
    handle: ({ ctx, params }) => unarchiveProject(ctx, params.projectId),
  }),
})
