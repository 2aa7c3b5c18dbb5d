import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { cursorParam, limitParam } from '../http/query.ts'
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

/** Each `%` and `_` counts as two of the 48 characters (docs/limits.md#text-lengths). */
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
    needs: ['pool'],
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
    needs: ['pool'],
    summary: 'Read one project',
    returns: Project,
    handle: ({ ctx, params }) => getProject(ctx, params.projectId),
  }),
  updateProject: endpoint({
    route: 'PATCH /projects/:projectId',
    scope: 'projects:write',
    needs: ['pool'],
    summary: 'Rename a project or set its address',
    body: z.object({ name: ProjectName.optional(), slug: z.string().optional() }),
    returns: Project,
    fails: ['conflict'],
    handle: ({ ctx, params, body }) => updateProject(ctx, params.projectId, body),
  }),
})
