import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { ensureResource } from './create-once.ts'
import { CloudflareError, transientError } from '../errors.ts'

/** The provider's error code for an account that has never enabled R2. */
const NOT_ENABLED = 10042

const PER_PAGE = 1000

const bucketPath = (name: string) => `/accounts/:account/r2/buckets/${encodeURIComponent(name)}`
const objectsPath = (bucket: string) => `${bucketPath(bucket)}/objects`

const Bucket = z.looseObject({ name: z.string() })

export const bucketExists = async (cloud: Cloud, name: string): Promise<boolean> =>
  (await findBucket(cloud, name)) !== null

const findBucket = (cloud: Cloud, name: string) =>
  whereEnabled(() =>
    cloud.call({
      method: 'GET',
      path: bucketPath(name),
      doing: `look up the bucket ${name}`,
      result: Bucket,
      missing: 'null',
    }),
  )

/**
 * Creates a bucket if it does not exist. A caller that knows the bucket to be missing sets `wasMissing` to save a
 * look-up. After a lost response the function looks for the bucket before it sends the call again.
 */
export async function ensureBucket(
  cloud: Cloud,
  name: string,
  { wasMissing = false }: { wasMissing?: boolean } = {},
): Promise<void> {
  await ensureResource({
    find: () => findBucket(cloud, name),
    create: () => createBucket(cloud, name),
    wasMissing,
  })
}

const createBucket = (cloud: Cloud, name: string) =>
  whereEnabled(() =>
    cloud.call({
      method: 'POST',
      path: '/accounts/:account/r2/buckets',
      json: { name },
      doing: `create the bucket ${name}`,
      result: Bucket,
      write: { action: 'bucket.create', target: name },
    }),
  )

/**
 * Deletes an object. Succeeds when there is none. A key that a URL cannot hold is sent in the body, as a list of one: every URL parser
 * removes `.` and `..` between slashes, so that `..` would name the bucket itself.
 */
export async function deleteObject(cloud: Cloud, bucket: string, key: string): Promise<void> {
  const parts = key.split('/')
  const isInUrl = !parts.includes('.') && !parts.includes('..')
  await cloud.call({
    method: 'DELETE',
    // The provider wants the slashes of a key as they are.
    path: isInUrl ? `${objectsPath(bucket)}/${parts.map(encodeURIComponent).join('/')}` : objectsPath(bucket),
    ...(!isInUrl && { json: [key] }),
    doing: `remove ${key} from the bucket ${bucket}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'object.delete', target: `${bucket}/${key}` },
  })
}

/**
 * Deletes a bucket after its objects, because the provider refuses to delete a bucket that has objects. Succeeds when
 * there is none. After an interruption the next call continues.
 */
export async function deleteBucket(cloud: Cloud, name: string): Promise<void> {
  for (let firstKey: string | undefined; ;) {
    const { objects } = await listObjects(cloud, name, 1)
    const [first] = objects
    if (first === undefined) break
    // Without this check, an object that Cloudflare does not remove would be deleted again without end.
    if (first.key === firstKey)
      throw transientError(
        `The cloud account still has ${first.key} in the bucket ${name} after it was removed. Try again.`,
      )
    firstKey = first.key
    for (const { key } of objects) await deleteObject(cloud, name, key)
  }
  await cloud.call({
    method: 'DELETE',
    path: bucketPath(name),
    doing: `remove the bucket ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'bucket.delete', target: name },
  })
}

const Page = z.looseObject({
  result: z.array(z.looseObject({ key: z.string(), size: z.number().optional() })),
  result_info: z.looseObject({ cursor: z.string().nullish() }).nullish(),
})

/** Returns the first objects of a bucket, in whole pages until there are at least `max`, and whether the bucket has no other objects. */
export async function listObjects(
  cloud: Cloud,
  bucket: string,
  max: number,
): Promise<{ objects: z.output<typeof Page>['result']; isAll: boolean }> {
  const objects: z.output<typeof Page>['result'] = []
  for (let cursor: string | undefined; ;) {
    const page = await cloud.call({
      method: 'GET',
      path: objectsPath(bucket),
      query: { per_page: String(PER_PAGE), ...(cursor === undefined ? {} : { cursor }) },
      doing: `list the bucket ${bucket}`,
      result: Page,
      isWhole: true,
      missing: 'null',
    })
    objects.push(...(page?.result ?? []))
    // Only a missing or empty cursor marks the end, because a page may be shorter than requested.
    cursor = page?.result_info?.cursor || undefined
    if (cursor === undefined || objects.length >= max) return { objects, isAll: cursor === undefined }
  }
}

/** Throws `product_disabled` when the account has no R2, which a person must enable once. */
async function whereEnabled<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.providerCode !== NOT_ENABLED) throw error
    const { status, providerCode } = error
    const message = 'R2 is not enabled in the connected cloud account. Enable it in its dashboard.'
    throw new CloudflareError('product_disabled', message, { status, providerCode, cause: error })
  }
}
