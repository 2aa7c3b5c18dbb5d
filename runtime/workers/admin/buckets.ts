import type { Context } from 'hono'
import { Hono } from 'hono/tiny'
import type { StoredObject, UploadedPart } from '../../bytes/bucket.ts'
import { serveObject } from '../../bytes/serve.ts'
import { type AdminContext, bucketOf } from '../../kernel/objects/admin.ts'
import { readServiceBody } from '../../kernel/access/guard.ts'
import { ApiError } from '../../kernel/errors.ts'
import { succeed } from '../../kernel/worker/envelope.ts'

/** R2 allows 8 KiB of metadata for each object, so a page is at most about 2 MB. */
const PAGE_OBJECTS = 200

/** An object of a bucket, as it is sent as JSON. */
interface MovedObject extends Pick<StoredObject, 'key' | 'size' | 'customMetadata'> {
  httpMetadata?: { contentType?: string; cacheExpiry?: string }
}

/**
 * The routes of `/transfer/buckets` in the admin worker. These routes copy the objects of any capability's bucket, with their metadata, to
 * the bucket of the same capability in another cloud account.
 */
export const bucketOperator = new Hono<AdminContext>()
  .get('/:capability/objects', async (c) => {
    const after = c.req.query('after')
    const { objects, truncated } = await bucketIn(c).list({
      prefix: '',
      limit: PAGE_OBJECTS,
      ...(after !== undefined && { startAfter: after }),
      include: ['httpMetadata', 'customMetadata'],
    })
    const items = objects.map(({ key, size, httpEtag: etag, httpMetadata, customMetadata }) => ({
      key,
      size,
      etag,
      httpMetadata,
      customMetadata,
    }))
    return succeed({ items, next: truncated ? (items.at(-1)?.key ?? null) : null })
  })
  .get('/:capability/object', async (c) => {
    const answer = await serveObject(bucketIn(c), c.req.query('key') ?? '', c.req.raw.headers, () => true)
    if (answer === null) throw new ApiError('not_found', 'No such object.')
    return answer
  })
  .post('/:capability/uploads', async (c) => {
    const { object } = await readServiceBody<{ object: MovedObject }>(c.req.raw)
    const bucket = bucketIn(c)
    const metadata = metadataOf(object)
    if (object.size > 0)
      return succeed({ uploadId: (await bucket.createMultipartUpload(object.key, metadata)).uploadId })
    // A multipart upload needs at least one byte, so store an empty object directly.
    await bucket.put(object.key, '', metadata)
    return succeed({ uploadId: null })
  })
  .put('/:capability/uploads/part', async (c) => {
    const { key = '', upload = '', number = '' } = c.req.query()
    const going = bucketIn(c).resumeMultipartUpload(key, upload)
    const { etag } = await going.uploadPart(Number(number), new Uint8Array(await c.req.raw.arrayBuffer()))
    return succeed({ etag })
  })
  .post('/:capability/uploads/complete', async (c) => {
    const { key, upload, parts } = await readServiceBody<{
      key: string
      upload: string
      parts: UploadedPart[]
    }>(c.req.raw)
    await bucketIn(c).resumeMultipartUpload(key, upload).complete(parts)
    return succeed({ key })
  })

const bucketIn = (c: Context<AdminContext, '/:capability'>) =>
  bucketOf(c.env, c.req.param('capability'), c.var.tier)

function metadataOf({ httpMetadata = {}, customMetadata = {} }: MovedObject) {
  const { cacheExpiry, ...http } = httpMetadata
  return {
    httpMetadata: { ...http, ...(cacheExpiry !== undefined && { cacheExpiry: new Date(cacheExpiry) }) },
    customMetadata,
  }
}
