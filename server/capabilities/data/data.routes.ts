import * as z from 'zod'
import { endpoint, group } from '../../http/endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { Collection, OperatorRecord, readCollections, readRecords, searchRecords } from './reads.ts'
import { removeRecord, replaceRecord } from './writes.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const LIMIT_DEFAULT = 100
const Limit = limitParam(1000).optional()

export const dataRoutes = group('Capabilities', {
  listCollections: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/collections',
    scope: 'projects:read',
    summary: 'The collections of the live app',
    returns: z.array(Collection),
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      readCollections(ctx, await requireServing(ctx, params.projectId, 'data')),
  }),
  listRecords: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/records/:collection',
    scope: 'projects:read',
    summary: 'The newest records of a collection, over all partitions',
    query: z.object({ limit: Limit }),
    returns: z.array(OperatorRecord),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return readRecords(ctx, project, params.collection, query.limit ?? LIMIT_DEFAULT)
    },
  }),
  replaceRecord: endpoint({
    route: 'PUT /projects/:projectId/capabilities/data/records/:collection/:partition/:id',
    scope: 'projects:write',
    summary: 'Replace a record',
    description:
      'Takes the whole record, checked as a write of the app is. System fields are ignored; a `rev` that is not the stored one is 409.',
    body: z.record(z.string(), z.unknown()),
    returns: OperatorRecord,
    fails: READER_FAILS,
    handle: async ({ ctx, params, body }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return replaceRecord(ctx, project, params, body)
    },
  }),
  deleteRecord: endpoint({
    route: 'DELETE /projects/:projectId/capabilities/data/records/:collection/:partition/:id',
    scope: 'projects:write',
    summary: 'Delete a record with its search entry',
    description: 'Pages of the app that show it see it go.',
    returns: z.object({ id: z.string() }),
    fails: READER_FAILS,
    handle: async ({ ctx, params }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return removeRecord(ctx, project, params)
    },
  }),
  queryRecords: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/query',
    scope: 'projects:read',
    summary: 'Search the records of a collection, over all partitions, the best matches first',
    query: z.object({ collection: z.string().max(40), q: z.string().min(1).max(200) }),
    returns: z.array(OperatorRecord),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return searchRecords(ctx, project, query)
    },
  }),
})
