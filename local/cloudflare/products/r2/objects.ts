import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { findResource, type Resource } from '../../store/resources.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { readBody } from '../../rest/read-body.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { isHidden, type StorageCloud } from '../storage/change.ts'

/** Throws when the bucket does not exist, or is still hidden: a name such as `late-3s` hides it for three seconds. */
export function findBucketOrRefuse(cloud: StorageCloud, c: Context<ApiEnv>): Resource {
  const name = c.req.param('bucket') ?? ''
  const bucket = findResource(cloud.store, c.get('account').id, 'r2', { name })
  if (bucket === null || (c.req.method === 'GET' && isHidden(cloud, bucket)))
    throw new ApiFailure(404, 10006, 'The specified bucket does not exist.')
  return bucket
}

/** The request headers that describe the object and are stored with it. */
const KEPT_HEADERS = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'cache-control',
  'expires',
]

export const ListedObjects = z.object({
  objects: z.array(z.unknown()),
  prefixes: z.array(z.string()),
  cursor: z.string().nullable(),
})
const Keys = z.array(z.string())
const Refused = z.object({ message: z.string() })

/** Objects of one bucket: raw bytes, and a list by cursor. */
export function objectRoutes(cloud: StorageCloud): Hono<ApiEnv> {
  const requestBucket = async (c: Context<ApiEnv>, params: Record<string, string>, init?: RequestInit) => {
    const found = await cloud.data.request(findBucketOrRefuse(cloud, c), params, init)
    if (found.status === 400) throw new ApiFailure(400, 10020, Refused.parse(await found.json()).message)
    return found
  }
  const requestObject = (c: Context<ApiEnv>, init?: RequestInit) =>
    requestBucket(c, { key: keyParam(c) }, init)
  return new Hono<ApiEnv>()
    .get('/', async (c) => {
      const { key: _key, ...query } = c.req.query()
      const found = ListedObjects.parse(await (await requestBucket(c, query)).json())
      return c.json({
        success: true,
        errors: [],
        messages: [],
        result: found.objects,
        result_info: {
          is_truncated: found.cursor !== null,
          delimited: found.prefixes,
          ...(found.cursor === null ? {} : { cursor: found.cursor }),
        },
      })
    })
    .get('/:key{.+}', async (c) => {
      const found = await requestObject(c)
      if (found.status === 404) throw new ApiFailure(404, 10007, 'The specified key does not exist.')
      return new Response(found.body, { headers: found.headers })
    })
    .put('/:key{.+}', async (c) => {
      const headers = KEPT_HEADERS.flatMap((name): [string, string][] => {
        const value = c.req.header(name)
        return value === undefined ? [] : [[name, value]]
      })
      const stored = await requestObject(c, { method: 'PUT', headers, body: await c.req.arrayBuffer() })
      return respond(c, await stored.json())
    })
    .delete('/', async (c) => {
      const keys = await readBody(c, Keys)
      for (const key of keys) await requestBucket(c, { key }, { method: 'DELETE' })
      return respond(
        c,
        keys.map((key) => ({ key })),
      )
    })
    .delete('/:key{.+}', async (c) => {
      await requestObject(c, { method: 'DELETE' })
      return respond(c, { key: keyParam(c) })
    })
}

const keyParam = (c: Context<ApiEnv>) => c.req.param('key') ?? ''
