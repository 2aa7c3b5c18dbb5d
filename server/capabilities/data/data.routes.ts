import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import {
  Collection,
  OperatorRecord,
  readCollections,
  readRecordPage,
  readRecords,
  RecordCursor,
  RecordPage,
  searchRecords,
} from './reads.ts'
import {
  createRecord,
  importRecords,
  ImportResult,
  NewRecord,
  removeRecord,
  replaceRecord,
} from './writes.ts'
import { READER_FAILS, requireServing } from '../operator/serving.ts'

const LIMIT_DEFAULT = 100
const [PAGE_DEFAULT, PAGE_MAX] = [50, 200]
const Limit = limitParam(1000).optional()

export const dataRoutes = group('Capabilities', {
  listCollections: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/collections',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the collections of the live app',
    returns: z.array(Collection),
    fails: READER_FAILS,
    handle: async ({ ctx, params }) =>
      readCollections(ctx, await requireServing(ctx, params.projectId, 'data')),
  }),
  listRecords: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/records/:collection',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the newest records of a collection, over all partitions',
    query: z.object({ limit: Limit }),
    returns: z.array(OperatorRecord),
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return readRecords(ctx, project, params.collection, query.limit ?? LIMIT_DEFAULT)
    },
  }),
  listRecordPages: endpoint({
    route: 'GET /projects/:projectId/capabilities/data/pages/:collection',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List a page of a collection, in any order that has an index',
    description:
      '`sort` is an indexed field, `createdAt` or `updatedAt`, with a leading `-` for the largest first. `where` is a JSON object of conditions on such fields, as the app writes them: `{"status":"open","due":{"lt":"2026-12-01"}}`. `partition` limits the page to the records of one person.',
    query: z.object({
      partition: z.string().max(64).optional(),
      sort: z.string().max(41).optional(),
      where: z.string().max(2000).optional(),
      limit: limitParam(PAGE_MAX).optional(),
      cursor: RecordCursor.optional(),
    }),
    returns: RecordPage,
    fails: READER_FAILS,
    handle: async ({ ctx, params, query }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return readRecordPage(ctx, project, params.collection, { ...query, limit: query.limit ?? PAGE_DEFAULT })
    },
  }),
  createRecord: endpoint({
    route: 'POST /projects/:projectId/capabilities/data/records/:collection/:partition',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Create a record',
    description:
      'Validated like a write of the app. `:partition` is `app`, or the id of the person whose record it will be.',
    body: z.record(z.string(), z.unknown()),
    returns: OperatorRecord,
    fails: READER_FAILS,
    handle: async ({ ctx, params, body }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return createRecord(ctx, project, params, body)
    },
  }),
  importRecords: endpoint({
    route: 'POST /projects/:projectId/capabilities/data/import/:collection/:partition',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Create up to 100 records, each on its own',
    description:
      'A refused record does not stop the others. `trial: true` stores nothing and says which would be refused. A record whose id an earlier call created is not created again.',
    body: z.object({ records: z.array(NewRecord).min(1).max(100), trial: z.boolean().default(false) }),
    returns: z.array(ImportResult),
    fails: READER_FAILS,
    handle: async ({ ctx, params, body: { records, trial } }) => {
      const project = await requireServing(ctx, params.projectId, 'data')
      return importRecords(ctx, project, params, { records, isTrial: trial })
    },
  }),
  replaceRecord: endpoint({
    route: 'PUT /projects/:projectId/capabilities/data/records/:collection/:partition/:id',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Replace a record',
    description:
      'Takes the whole record, validated like a write of the app. System fields are ignored; a `rev` other than the stored one is a 409.',
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
    needs: ['accounts'],
    summary: 'Delete a record with its search entry',
    description: 'It disappears from open pages of the app at once.',
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
    needs: ['accounts'],
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
