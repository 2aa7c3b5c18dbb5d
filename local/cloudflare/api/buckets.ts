import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { type Bucket, deleteBucket, findBucket, insertBucket, listBuckets } from '../buckets.ts'
import { dropEmptyGroup, groupFor } from '../groups.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { answer, isoTime } from './envelope.ts'
import { ApiFailure } from './failure.ts'
import { findOrRefuse, isHidden, objectRoutes } from './objects.ts'
import { readBody } from './read-body.ts'

const NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/
const PER_PAGE_MAX = 1000

const NewBucket = z.object({
  name: z.string(),
  locationHint: z.string().default('weur'),
  storageClass: z.enum(['Standard', 'InfrequentAccess']).default('Standard'),
})
const Page = z.object({
  per_page: z.coerce.number().int().min(1).max(PER_PAGE_MAX).default(20),
  cursor: z.string().default(''),
  name_contains: z.string().default(''),
})

/** R2: the buckets of an account, and below each its objects. */
export function bucketRoutes(cloud: Cloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => listPage(cloud, c))
    .post('/', async (c) => {
      const wish = await readBody(c, NewBucket)
      return answer(c, shown(createBucket(cloud, c.get('account').id, wish)))
    })
    .get('/:bucket', (c) => answer(c, shown(findOrRefuse(cloud, c))))
    .delete('/:bucket', async (c) => {
      await removeBucket(cloud, findOrRefuse(cloud, c))
      return answer(c, {})
    })
    .route('/:bucket/objects', objectRoutes(cloud))
}

const shown = (bucket: Bucket) => ({
  name: bucket.name,
  creation_date: isoTime(bucket.createdAt),
  location: bucket.location,
  storage_class: bucket.storageClass,
  jurisdiction: 'default',
})

function listPage(cloud: Cloud, c: Context<ApiEnv>): Response {
  const read = Page.safeParse(c.req.query())
  if (!read.success) throw new ApiFailure(400, 10001, z.prettifyError(read.error))
  const { per_page: perPage, cursor, name_contains: part } = read.data
  const rest = listBuckets(cloud.store, c.get('account').id).filter(
    (bucket) => bucket.name > cursor && bucket.name.includes(part) && !isHidden(cloud, bucket),
  )
  const page = rest.slice(0, perPage)
  const next = rest.length > page.length ? { cursor: page.at(-1)?.name } : {}
  return c.json({
    success: true,
    errors: [],
    messages: [],
    result: { buckets: page.map(shown) },
    result_info: { per_page: perPage, ...next },
  })
}

function createBucket(cloud: Cloud, accountId: string, wish: z.output<typeof NewBucket>): Bucket {
  const { name, locationHint, storageClass } = wish
  if (!NAME.test(name)) throw new ApiFailure(400, 10005, 'The specified bucket name is not valid.')
  const bucket = cloud.store.transact(() => {
    if (findBucket(cloud.store, accountId, name) !== null)
      throw new ApiFailure(409, 10004, 'The bucket you tried to create already exists, and you own it.')
    const groupId = groupFor(cloud.store, accountId, name)
    const location = locationHint.toUpperCase()
    return insertBucket(cloud.store, {
      accountId,
      groupId,
      name,
      location,
      storageClass,
      createdAt: cloud.now(),
    })
  })
  cloud.apps.afterChange(accountId, bucket.groupId)
  return bucket
}

async function removeBucket(cloud: Cloud, bucket: Bucket): Promise<void> {
  if (!(await cloud.apps.isBucketEmpty(bucket)))
    throw new ApiFailure(409, 10008, 'The bucket you tried to delete is not empty.')
  cloud.store.transact(() => {
    deleteBucket(cloud.store, bucket)
    dropEmptyGroup(cloud.store, bucket.groupId)
  })
  cloud.apps.afterChange(bucket.accountId, bucket.groupId)
  await cloud.apps.forgetBucket(bucket)
}
