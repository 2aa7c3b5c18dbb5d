import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { cursorParam, limitParam } from '../../http/query.ts'
import { FileObjects, readFileObject, readFileObjects } from './reads.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const LIMIT_DEFAULT = 100

/**
 * The cursor of the list: the last key of a page, as the admin worker encodes it. The prefix `f/` limits it
 * to the keys of files.
 */
const Cursor = cursorParam.refine(
  (text) => Buffer.from(text, 'base64').toString('latin1').startsWith('f%2F'),
  'is not a cursor of this list',
)

export const filesRoutes = group('Capabilities', {
  listFileObjects: endpoint({
    route: 'GET /projects/:projectId/capabilities/files/objects',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the files that people and code of the live app stored, by key',
    query: z.object({ limit: limitParam(1000).optional(), cursor: Cursor.optional() }),
    returns: FileObjects,
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) => {
      const project = await requireServing(ctx, params.projectId, 'files')
      const { limit = LIMIT_DEFAULT, cursor } = query
      return readFileObjects(ctx, project, { limit, cursor })
    },
  }),
  getFileObject: endpoint({
    kind: 'bytes',
    route: 'GET /projects/:projectId/capabilities/files/object',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the bytes of one stored file, sandboxed; `Range` is supported',
    contentType: '*/*',
    query: z.object({ key: z.string().min(1).max(1024) }),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query, request }) => {
      const project = await requireServing(ctx, params.projectId, 'files')
      return readFileObject(ctx, project, query.key, request)
    },
  }),
})
