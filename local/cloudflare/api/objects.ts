import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { type Bucket, findBucket } from '../buckets.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { answer } from './envelope.ts'
import { ApiFailure } from './failure.ts'

/** The bucket the path names; a name may ask for being visible only later (`late-3s`). */
export function findOrRefuse(cloud: Cloud, c: Context<ApiEnv>): Bucket {
  const bucket = findBucket(cloud.store, c.get('account').id, c.req.param('bucket') ?? '')
  if (bucket === null || (c.req.method === 'GET' && isHidden(cloud, bucket)))
    throw new ApiFailure(404, 10006, 'The specified bucket does not exist.')
  return bucket
}

/** Created a moment ago under a name that asks for being late. */
export const isHidden = (cloud: Cloud, bucket: Bucket) =>
  cloud.now() < bucket.createdAt + (cloud.faults?.hiddenMs(bucket.name) ?? 0)

/** What becomes the object's own headers; anything else of a request is about the request. */
const KEPT_HEADERS = [
  'content-type',
  'content-disposition',
  'content-encoding',
  'content-language',
  'cache-control',
  'expires',
]

const Listed = z.object({
  objects: z.array(z.unknown()),
  prefixes: z.array(z.string()),
  cursor: z.string().nullable(),
})
const Refused = z.object({ message: z.string() })

/** The objects of one bucket: raw bytes in and out, and a list by cursor. */
export function objectRoutes(cloud: Cloud): Hono<ApiEnv> {
  const ask = (c: Context<ApiEnv>, init: RequestInit = {}) =>
    cloud.apps.askBucket(findOrRefuse(cloud, c), encodeURIComponent(keyOf(c)), init)
  return new Hono<ApiEnv>()
    .get('/', async (c) => {
      const query = new URL(c.req.url).search
      const found = Listed.parse(await (await cloud.apps.askBucket(findOrRefuse(cloud, c), query, {})).json())
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
      const found = await ask(c)
      if (found.status === 404) throw new ApiFailure(404, 10007, 'The specified key does not exist.')
      return new Response(found.body, { headers: found.headers })
    })
    .put('/:key{.+}', async (c) => {
      const headers = KEPT_HEADERS.flatMap((name): [string, string][] => {
        const value = c.req.header(name)
        return value === undefined ? [] : [[name, value]]
      })
      const stored = await ask(c, { method: 'PUT', headers, body: await c.req.arrayBuffer() })
      if (stored.status !== 200) throw new ApiFailure(400, 10020, Refused.parse(await stored.json()).message)
      return answer(c, await stored.json())
    })
    .delete('/:key{.+}', async (c) => {
      await ask(c, { method: 'DELETE' })
      return answer(c, { key: keyOf(c) })
    })
}

const keyOf = (c: Context<ApiEnv>) => c.req.param('key') ?? ''
