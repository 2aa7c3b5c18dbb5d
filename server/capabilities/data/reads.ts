import * as z from 'zod'
import { notFound } from '../../http/errors.ts'
import type { PlatformPorts } from '../../platform.ts'
import { callOperator, type OperatedProject } from '../operator/call.ts'
import { OutdatedAppError } from '../operator/outdated-app.ts'

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
      // Apps that an earlier version of the service shipped send none of these fields.
      title: z.string().optional(),
      unique: z.boolean().optional(),
      values: z.array(z.string()).optional(),
      ref: z.string().optional(),
      as: z.enum(['long', 'email', 'url']).optional(),
      currency: z.string().optional(),
      max: z.number().optional(),
      default: z.unknown().optional(),
    }),
  ),
  /** The name of the field whose value represents a record in lists. */
  label: z.string().nullable().optional(),
  count: z.int(),
  updatedAt: z.string().nullable(),
})

/** A record as the operator reads it: the app's fields, the system fields and the partition. */
export const OperatorRecord = z.looseObject({
  id: z.string(),
  ownerId: z.string().nullable(),
  rev: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  partition: z.string(),
})

export const RecordPage = z.object({ items: z.array(OperatorRecord), nextCursor: z.string().nullable() })

export interface PageQuery {
  partition?: string | undefined
  sort?: string | undefined
  where?: string | undefined
  limit: number
  cursor?: string | undefined
}

const RESULTS_MAX = 100

/**
 * The cursor of a list: the last record of a page, encoded by the live app as base64 of a JSON list. The cursor
 * contains a field's value.
 */
export const RecordCursor = z
  .string()
  .max(2000)
  .refine(
    (text) => Buffer.from(text, 'base64').toString('latin1').startsWith('%5B'),
    'is not a cursor of this list',
  )
  .describe('The nextCursor of the page before, unchanged.')

const COLLECTION_NAME = /^[a-z][A-Za-z0-9]{0,39}$/

/** Throws `not_found` for a string that cannot name a collection. This saves a call to the app. */
export function requireCollectionName(name: string): string {
  if (!COLLECTION_NAME.test(name)) throw notFound('collection')
  return name
}

export const readCollections = (platform: PlatformPorts<'accounts'>, project: OperatedProject) =>
  callOperator(platform, project, {
    tier: 'production',
    method: 'GET',
    path: '/data/collections',
    result: z.array(Collection),
  })

export const readRecords = (
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  collection: string,
  limit: number,
) =>
  callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/data/records/${requireCollectionName(collection)}?limit=${limit}`,
    result: z.array(OperatorRecord),
  })

/** Returns one page of records. An app that an earlier version of the service shipped returns only its newest records, as a single page. */
export async function readRecordPage(
  ctx: PlatformPorts<'accounts'>,
  project: OperatedProject,
  collection: string,
  query: PageQuery,
): Promise<z.infer<typeof RecordPage>> {
  const { limit, ...rest } = query
  const given = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const params = new URLSearchParams([['limit', String(limit)], ...given])
  const path = `/data/pages/${requireCollectionName(collection)}?${params.toString()}`
  try {
    return await callOperator(ctx, project, { tier: 'production', method: 'GET', path, result: RecordPage })
  } catch (error) {
    // An app that an earlier version of the service shipped cannot page its records. The newest records are then the only page.
    if (!(error instanceof OutdatedAppError) || given.length > 0) throw error
    return { items: await readRecords(ctx, project, collection, limit), nextCursor: null }
  }
}

export const searchRecords = (
  ctx: PlatformPorts<'accounts'>,
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
