import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import { findResource, listResources, type Resource } from '../../store/resources.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond, isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { findBucketOrRefuse, ListedObjects, objectRoutes } from './objects.ts'
import { readBody, readQuery } from '../../rest/read-body.ts'
import { addResource, isHidden, removeResource, type StorageCloud } from '../storage/change.ts'

const BUCKET_NAME = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/
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
  start_after: z.string().default(''),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

/** R2 buckets over REST, mounted at /r2/buckets. Only an empty bucket can be deleted, as at the provider. */
export function bucketRoutes(cloud: StorageCloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', (c) => listBucketPage(cloud, c))
    .post('/', async (c) => {
      const input = await readBody(c, NewBucket)
      return respond(c, toBucket(createBucket(cloud, c.get('account').id, input)))
    })
    .get('/:bucket', (c) => respond(c, toBucket(findBucketOrRefuse(cloud, c))))
    .delete('/:bucket', async (c) => {
      await removeBucket(cloud, findBucketOrRefuse(cloud, c))
      return respond(c, {})
    })
    .route('/:bucket/objects', objectRoutes(cloud))
}

const toBucket = (bucket: Resource) => ({
  name: bucket.name,
  creation_date: isoTime(bucket.createdAt),
  location: bucket.settings['location'],
  storage_class: bucket.settings['storageClass'],
  jurisdiction: 'default',
})

function listBucketPage(cloud: StorageCloud, c: Context<ApiEnv>): Response {
  const query = readQuery(c, Page)
  const { per_page: perPage, name_contains: part, direction } = query
  const all = listResources(cloud.store, c.get('account').id, 'r2')
  if (direction === 'desc') all.reverse()
  // The cursor is the name of the previous page's last bucket.
  const after = query.cursor || query.start_after
  const isAfter = (name: string) => after === '' || (direction === 'asc' ? name > after : name < after)
  const rest = all.filter(
    (bucket) => isAfter(bucket.name) && bucket.name.includes(part) && !isHidden(cloud, bucket),
  )
  const page = rest.slice(0, perPage)
  const next = rest.length > page.length ? { cursor: page.at(-1)?.name } : {}
  return c.json({
    success: true,
    errors: [],
    messages: [],
    result: { buckets: page.map(toBucket) },
    result_info: { per_page: perPage, ...next },
  })
}

function createBucket(cloud: StorageCloud, accountId: string, input: z.output<typeof NewBucket>): Resource {
  const { name, locationHint, storageClass } = input
  if (!BUCKET_NAME.test(name)) throw new ApiFailure(400, 10005, 'The specified bucket name is not valid.')
  const settings = { location: locationHint.toUpperCase(), storageClass }
  return addResource(cloud, { id: hexId(), accountId, kind: 'r2', name, settings }, () => {
    if (findResource(cloud.store, accountId, 'r2', { name }) !== null)
      throw new ApiFailure(409, 10004, 'The bucket you tried to create already exists, and you own it.')
  })
}

async function removeBucket(cloud: StorageCloud, bucket: Resource): Promise<void> {
  if (!(await isEmpty(cloud, bucket)))
    throw new ApiFailure(409, 10008, 'The bucket you tried to delete is not empty.')
  await removeResource(cloud, bucket)
}

async function isEmpty(cloud: StorageCloud, bucket: Resource): Promise<boolean> {
  if (!cloud.data.isStored(bucket)) return true
  const answered = await cloud.data.request(bucket, { per_page: '1' })
  return ListedObjects.parse(await answered.json()).objects.length === 0
}
