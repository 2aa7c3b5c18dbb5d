import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { diffVersion } from './diff.ts'
import { HistoryEvent, listHistory } from './history.ts'
import { revertProject } from './revert.ts'
import { AppPackages, listPackages } from '../source/packages.ts'
import { listFiles, readSource, zipSource } from '../source/source.ts'
import { listVersions } from './versions.ts'

const Sha = z.string().regex(/^[0-9a-f]{40}$/, 'must be a commit id of 40 hexadecimal characters')

export const Version = z
  .object({
    sha: z.string(),
    message: z.string(),
    ticketId: z.string().nullable(),
    runId: z.string().nullable(),
    author: z.string(),
    createdAt: z.iso.datetime(),
    files: z.number().int().describe('The number of its files.'),
    current: z.boolean().describe('Whether this is the newest commit of the project.'),
  })
  .meta({ id: 'Version' })

export const VersionDiff = z
  .object({
    sha: z.string(),
    base: z
      .string()
      .nullable()
      .describe('null for the first version, of which only the files that are not generated are listed.'),
    files: z.array(
      z.object({
        path: z.string(),
        status: z.enum(['added', 'modified', 'removed']),
        added: z.number().int().describe('Added lines.'),
        removed: z.number().int().describe('Removed lines.'),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'VersionDiff' })

const Source = z
  .object({ files: z.record(z.string(), z.string()), generatedBy: z.string().nullable() })
  .meta({ id: 'Source' })

export const versionRoutes = group('Code', {
  getSource: endpoint({
    route: 'GET /projects/:projectId/source',
    scope: 'projects:read',
    summary: 'Read all files of the newest version; null before the first build',
    returns: Source.nullable(),
    handle: ({ ctx, params }) => readSource(ctx, params.projectId),
  }),
  listFiles: endpoint({
    route: 'GET /projects/:projectId/files',
    scope: 'projects:read',
    summary: 'List the paths of the newest version',
    returns: z.object({ paths: z.array(z.string()) }),
    handle: ({ ctx, params }) => listFiles(ctx, params.projectId),
  }),
  listPackages: endpoint({
    route: 'GET /projects/:projectId/packages',
    scope: 'projects:read',
    summary: 'List the npm packages that the newest version has beyond those of every app',
    returns: AppPackages,
    handle: ({ ctx, params }) => listPackages(ctx, params.projectId),
  }),
  listVersions: endpoint({
    route: 'GET /projects/:projectId/versions',
    scope: 'projects:read',
    summary: 'List the commits of a project, newest first',
    returns: z.array(Version),
    handle: ({ ctx, params }) => listVersions(ctx, params.projectId),
  }),
  getVersionDiff: endpoint({
    route: 'GET /projects/:projectId/versions/:sha/diff',
    scope: 'projects:read',
    needs: ['textWorkers'],
    summary: 'Compare a version with the one before it, or with `base`',
    query: z.object({ base: Sha.optional() }),
    returns: VersionDiff,
    handle: ({ ctx, params, query }) => diffVersion(ctx, params.projectId, params.sha, query.base),
  }),
  revertProject: endpoint({
    route: 'POST /projects/:projectId/versions/:sha/revert',
    scope: 'build:write',
    needs: ['jobs'],
    summary: 'Restore an earlier version',
    description:
      'A new commit with the tree of that version, so a revert can be reverted. Migrations of the data are kept. The preview follows in the background.',
    returns: z.object({
      sha: z.string().describe('The new commit.'),
      restored: z.string().describe('The version whose tree it has.'),
    }),
    fails: ['conflict'],
    handle: ({ ctx, params }) => revertProject(ctx, params.projectId, params.sha),
  }),
  getSourceZip: endpoint({
    kind: 'bytes',
    route: 'GET /projects/:projectId/source.zip',
    scope: 'projects:read',
    summary: 'The newest version as a zip; 404 before the first build',
    contentType: 'application/zip',
    handle: ({ ctx, params }) => zipSource(ctx, params.projectId),
  }),
  listHistory: endpoint({
    route: 'GET /projects/:projectId/history',
    scope: 'projects:read',
    summary: 'What happened to a project, newest first: builds, reverts, ships, rollbacks, renames, archive',
    returns: z.array(HistoryEvent),
    handle: ({ ctx, params }) => listHistory(ctx, params.projectId),
  }),
})
