import * as z from 'zod'
import { notFound } from '../../http/errors.ts'
import type { Context } from '../../http/context.ts'
import { callOperator, type OperatedProject } from '../operator/call.ts'

/** A collection of the live app and how much it holds. */
export const Collection = z.object({
  name: z.string(),
  title: z.string(),
  partition: z.enum(['app', 'user', 'team']),
  read: z.string(),
  write: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      index: z.boolean(),
      search: z.boolean(),
    }),
  ),
  count: z.int(),
  updatedAt: z.string().nullable(),
})

/** A record as the operator reads it: its own fields, the system's, and its partition. */
export const OperatorRecord = z.looseObject({
  id: z.string(),
  ownerId: z.string().nullable(),
  rev: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  partition: z.string(),
})

const RESULTS_MAX = 100
const COLLECTION = /^[a-z][A-Za-z0-9]{0,39}$/

/** Throws `not_found` for a text that cannot name a collection, without a call to the app. */
export function requireCollectionName(name: string): string {
  if (!COLLECTION.test(name)) throw notFound('collection')
  return name
}

export const readCollections = (ctx: Context, project: OperatedProject) =>
  callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: '/data/collections',
    result: z.array(Collection),
  })

export const readRecords = (ctx: Context, project: OperatedProject, collection: string, limit: number) =>
  callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/data/records/${requireCollectionName(collection)}?limit=${limit}`,
    result: z.array(OperatorRecord),
  })

export const searchRecords = (
  ctx: Context,
  project: OperatedProject,
  search: { collection: string; q: string },
) => {
  const collection = requireCollectionName(search.collection)
  const query = new URLSearchParams({ collection, q: search.q, limit: String(RESULTS_MAX) })
  return callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/data/query?${query.toString()}`,
    result: z.array(OperatorRecord),
  })
}
