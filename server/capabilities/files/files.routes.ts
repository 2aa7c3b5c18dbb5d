import * as z from 'zod'
import { group } from '../../endpoint.ts'
import { cursorParam, limitParam } from '../../http/query.ts'
import { FileObjects, readFileObject, readFileObjects } from './reads.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

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
  listFileObjects: operatorEndpoint('files', {
    route: 'GET /projects/:projectId/capabilities/files/objects',
    scope: 'projects:read',
    summary: 'List the files that people and code of the live app stored, by key',
    query: z.object({ limit: limitParam(1000).optional(), cursor: Cursor.optional() }),
    returns: FileObjects,
    handle: ({ ctx, project, query: { limit = LIMIT_DEFAULT, cursor } }) =>
      readFileObjects(ctx, project, { limit, cursor }),
  }),
  getFileObject: operatorEndpoint('files', {
    kind: 'bytes',
    route: 'GET /projects/:projectId/capabilities/files/object',
    scope: 'projects:read',
    summary: 'Read the bytes of one stored file, sandboxed; `Range` is supported',
    contentType: '*/*',
    query: z.object({ key: z.string().min(1).max(1024) }),
    handle: ({ ctx, project, query, request }) => readFileObject(ctx, project, query.key, request),
  }),
})
