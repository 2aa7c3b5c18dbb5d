import * as z from 'zod'
import { endpoint, group } from '../http/endpoint.ts'
import { cursorParam, limitParam } from '../http/query.ts'
import { archiveProject, unarchiveProject } from './archive-project.ts'
import { deleteProject } from './delete-project.ts'
import { createProject, getProject, listProjects, updateProject } from './projects.ts'

const ProjectName = z.string().trim().min(1).max(80)

export const Project = z
  .object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    slugLocked: z.boolean(),
    lifecycle: z.enum(['offline', 'live', 'archived']),
    url: z.string().nullable(),
    previewUrl: z.string().nullable(),
    customDomain: z.string().nullable(),
    provision: z.object({
      state: z.enum(['creating', 'idle', 'error']),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
    repository: z.object({ provider: z.string(), url: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    deployedAt: z.iso.datetime().nullable(),
    archivedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Project' })

const Removed = z.object({ id: z.string(), kind: z.string(), name: z.string() })

const Teardown = z.object({
  remaining: z.int(),
  removed: z.array(Removed),
  failed: z.array(Removed.extend({ reason: z.string() })),
  left: z
    .array(Removed.extend({ reason: z.string() }))
    .describe('Stays in the account: `leaveStuck` was asked for.'),
})

/** `%` and `_` cost two of the 48 characters each (docs/limits.md#text-lengths). */
const ProjectSearch = z
  .string()
  .refine(
    (q) => Array.from(q).length + q.replaceAll(/[^%_]/g, '').length <= 48,
    'must be at most 48 characters, % and _ count as two',
  )
  .describe('Part of the name, case-insensitive, matched literally.')

export const projectRoutes = group('Projects', {
  listProjects: endpoint({
    route: 'GET /projects',
    scope: 'projects:read',
    summary: 'List projects, newest first',
    query: z.object({
      limit: limitParam(100).default(50),
      cursor: cursorParam.optional(),
      q: ProjectSearch.optional(),
    }),
    returns: z.object({ items: z.array(Project), nextCursor: z.string().nullable() }),
    handle: ({ ctx, query }) => listProjects(ctx, query),
  }),
  createProject: endpoint({
    route: 'POST /projects',
    scope: 'projects:write',
    summary: 'Create a project',
    body: z.object({ name: ProjectName.optional() }),
    returns: Project,
    fails: ['payment_required', 'conflict'],
    idempotent: true,
    handle: ({ ctx, body }) => createProject(ctx, body),
  }),
  getProject: endpoint({
    route: 'GET /projects/:projectId',
    scope: 'projects:read',
    summary: 'Read one project',
    returns: Project,
    handle: ({ ctx, params }) => getProject(ctx, params.projectId),
  }),
  updateProject: endpoint({
    route: 'PATCH /projects/:projectId',
    scope: 'projects:write',
    summary: 'Rename a project or set its address',
    body: z.object({ name: ProjectName.optional(), slug: z.string().optional() }),
    returns: Project,
    fails: ['conflict'],
    handle: ({ ctx, params, body }) => updateProject(ctx, params.projectId, body),
  }),
  deleteProject: endpoint({
    route: 'DELETE /projects/:projectId',
    scope: 'deploy:write',
    summary: 'Delete a project and everything it has in the connected account',
    description:
      'A call is bounded to 20 seconds. While `teardown.remaining` is above zero the project still stands, takes no new builds or ships, and another call goes on; at zero it is gone. The backed-up repository is not touched. With `leaveStuck` what cannot be removed, or all of it while no cloud is connected, stays in the account and is named in `left` and in the activity log.',
    body: z.object({ leaveStuck: z.boolean().optional() }),
    returns: z.object({ teardown: Teardown }),
    fails: ['conflict'],
    handle: ({ ctx, params, body }) => deleteProject(ctx, params.projectId, body),
  }),
  archiveProject: endpoint({
    route: 'POST /projects/:projectId/archive',
    scope: 'deploy:write',
    summary: 'Take a project off its address and keep everything it has',
    description:
      'Frees its live slot. The preview goes too: `previewUrl` is null until the next build or preview. Archiving again changes nothing, except that an app which could not be taken off its address is tried again.',
    returns: Project,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => archiveProject(ctx, params.projectId),
  }),
  unarchiveProject: endpoint({
    route: 'POST /projects/:projectId/unarchive',
    scope: 'deploy:write',
    summary: 'Bring an archived project back; ship it to serve again',
    description: 'A project that is not archived stays as it is.',
    returns: Project,
    fails: ['conflict'],
    handle: ({ ctx, params }) => unarchiveProject(ctx, params.projectId),
  }),
})
