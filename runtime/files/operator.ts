import { Hono } from 'hono'
import { contentTypeOf, type FileBucket, type StoredObject, type UploadedPart } from '../bytes/bucket.ts'
import { emptySome } from '../bytes/empty.ts'
import { serveObject } from '../bytes/serve.ts'
import { type AdminContext, limitOf } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { readJson } from '../kernel/guard.ts'
import type { Tier } from '../kernel/objects.ts'
import { metadataOf } from './metadata.ts'
import type { FileRef } from './types.ts'

/** The key prefix of all files. Earlier versions stored the files of the preview in the same bucket under `pv/`. */
const KEY_PREFIX = 'f/'

export const operator = new Hono<AdminContext>()
  .get('/objects', async (c) => {
    const limit = limitOf(c.req.query('limit'))
    const cursor = c.req.query('cursor')
    return succeed(
      await listObjects(
        fileBucketOf(c.env, c.var.tier),
        limit,
        cursor === undefined ? null : readCursor(cursor),
      ),
    )
  })
  .delete('/objects', async (c) => succeed(await emptySome(fileBucketOf(c.env, c.var.tier))))
  .get('/object', async (c) => {
    const key = c.req.query('key') ?? ''
    const answer = key.startsWith(KEY_PREFIX)
      ? await serveObject(fileBucketOf(c.env, c.var.tier), key, c.req.raw.headers, () => true)
      : null
    if (answer === null) throw new ApiError('not_found', 'No such object.')
    return answer
  })
  .post('/uploads', async (c) => {
    const { file } = (await readJson(c.req.raw)) as { file: FileRef }
    const { uploadId } = await fileBucketOf(c.env, c.var.tier).createMultipartUpload(
      file.key,
      metadataOf(file),
    )
    return succeed({ uploadId })
  })
  .put('/uploads/part', async (c) => {
    const { key = '', upload = '', number = '' } = c.req.query()
    const going = fileBucketOf(c.env, c.var.tier).resumeMultipartUpload(key, upload)
    const { etag } = await going.uploadPart(Number(number), new Uint8Array(await c.req.raw.arrayBuffer()))
    return succeed({ etag })
  })
  .post('/uploads/complete', async (c) => {
    const { key, upload, parts } = (await readJson(c.req.raw)) as {
      key: string
      upload: string
      parts: UploadedPart[]
    }
    await fileBucketOf(c.env, c.var.tier).resumeMultipartUpload(key, upload).complete(parts)
    return succeed({ key })
  })

function fileBucketOf(env: AdminContext['Bindings'], tier: Tier): FileBucket {
  const buckets = env as { FILES?: FileBucket; FILES_PREVIEW?: FileBucket }
  const bucket = tier === 'preview' ? buckets.FILES_PREVIEW : buckets.FILES
  if (bucket === undefined) throw new ApiError('not_enabled', 'The capability files is off.')
  return bucket
}

/** Lists objects by key. The cursor is the last key, so pages stay consistent while objects are added and deleted. */
async function listObjects(bucket: FileBucket, limit: number, after: string | null) {
  const objects: StoredObject[] = []
  // When a list includes metadata, the bucket may return fewer objects than requested.
  for (let start = after, isMore = true; isMore && objects.length <= limit;) {
    const page = await bucket.list({
      prefix: KEY_PREFIX,
      limit: Math.min(1000, limit + 1 - objects.length),
      ...(start === null ? {} : { startAfter: start }),
      include: ['httpMetadata', 'customMetadata'],
    })
    objects.push(...page.objects)
    start = objects.at(-1)?.key ?? start
    isMore = page.truncated
  }
  const items = objects.slice(0, limit)
  const last = items.at(-1)
  const nextCursor = objects.length > limit && last !== undefined ? writeCursor(last.key) : null
  return { items: items.map(presentFile), nextCursor }
}

const presentFile = (object: StoredObject) => ({
  key: object.key,
  name: fileName(object),
  size: object.size,
  contentType: contentTypeOf(object),
  ownerId: object.customMetadata?.['owner'] ?? null,
  uploadedAt: object.uploaded.toISOString(),
})

function fileName({ key, customMetadata }: StoredObject): string {
  try {
    return decodeURIComponent(customMetadata?.['name'] ?? key)
  } catch {
    return key
  }
}

const writeCursor = (key: string): string => btoa(encodeURIComponent(key)).replaceAll('=', '')

function readCursor(cursor: string): string {
  try {
    const key = decodeURIComponent(atob(cursor))
    if (key.startsWith(KEY_PREFIX)) return key
  } catch {
    // Ignore the parse error: the next line throws the same error for every invalid text.
  }
  throw invalid('cursor', 'is not one of ours')
}
