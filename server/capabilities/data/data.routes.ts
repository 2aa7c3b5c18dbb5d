import * as z from 'zod'
import { group } from '../../endpoint.ts'
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
import { operatorEndpoint } from '../operator/operator-endpoint.ts'

const LIMIT_DEFAULT = 100
const [PAGE_DEFAULT, PAGE_MAX] = [50, 200]
const Limit = limitParam(1000).optional()

export const dataRoutes = group('Capabilities', {
  listCollections: operatorEndpoint('data', {
    route: 'GET /projects/:projectId/capabilities/data/collections',
    scope: 'projects:read',
    summary: 'List the collections of the live app',
    returns: z.array(Collection),
    handle: ({ ctx, project }) => readCollections(ctx, project),
  }),
  listRecords: operatorEndpoint('data', {
    route: 'GET /projects/:projectId/capabilities/data/records/:collection',
    scope: 'projects:read',
    summary: 'List the newest records of a collection, over all partitions',
    query: z.object({ limit: Limit }),
    returns: z.array(OperatorRecord),
    handle: ({ ctx, project, params, query }) =>
      readRecords(ctx, project, params.collection, query.limit ?? LIMIT_DEFAULT),
  }),
  listRecordPages: operatorEndpoint('data', {
    route: 'GET /projects/:projectId/capabilities/data/pages/:collection',
    scope: 'projects:read',
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
    handle: ({ ctx, project, params, query }) =>
      readRecordPage(ctx, project, params.collection, { ...query, limit: query.limit ?? PAGE_DEFAULT }),
  }),
  createRecord: operatorEndpoint('data', {
    route: 'POST /projects/:projectId/capabilities/data/records/:collection/:partition',
    scope: 'projects:write',
    summary: 'Create a record',
    description:
      'Validated like a write of the app. `:partition` is `app`, or the id of the person whose record it will be.',
    body: z.record(z.string(), z.unknown()),
    returns: OperatorRecord,
    handle: ({ ctx, project, params, body }) => createRecord(ctx, project, params, body),
  }),
  importRecords: operatorEndpoint('data', {
    route: 'POST /projects/:projectId/capabilities/data/import/:collection/:partition',
    scope: 'projects:write',
    summary: 'Create up to 100 records, each on its own',
    description:
      'A refused record does not stop the others. `trial: true` stores nothing and says which would be refused. A record whose id an earlier call created is not created again.',
    body: z.object({ records: z.array(NewRecord).min(1).max(100), trial: z.boolean().default(false) }),
    returns: z.array(ImportResult),
    handle: ({ ctx, project, params, body: { records, trial } }) =>
      importRecords(ctx, project, params, { records, isTrial: trial }),
  }),
  replaceRecord: operatorEndpoint('data', {
    route: 'PUT /projects/:projectId/capabilities/data/records/:collection/:partition/:id',
    scope: 'projects:write',
    summary: 'Replace a record',
    description:
      'Takes the whole record, validated like a write of the app. System fields are ignored; a `rev` other than the stored one is a 409.',
    body: z.record(z.string(), z.unknown()),
    returns: OperatorRecord,
    handle: ({ ctx, project, params, body }) => replaceRecord(ctx, project, params, body),
  }),
  deleteRecord: operatorEndpoint('data', {
    route: 'DELETE /projects/:projectId/capabilities/data/records/:collection/:partition/:id',
    scope: 'projects:write',
    summary: 'Delete a record with its search entry',
    description: 'It disappears from open pages of the app at once.',
    returns: z.object({ id: z.string() }),
    handle: ({ ctx, project, params }) => removeRecord(ctx, project, params),
  }),
  queryRecords: operatorEndpoint('data', {
    route: 'GET /projects/:projectId/capabilities/data/query',
    scope: 'projects:read',
    summary: 'Search the records of a collection, over all partitions, the best matches first',
    query: z.object({ collection: z.string().max(40), q: z.string().min(1).max(200) }),
    returns: z.array(OperatorRecord),
    handle: ({ ctx, project, query }) => searchRecords(ctx, project, query),
  }),
})
