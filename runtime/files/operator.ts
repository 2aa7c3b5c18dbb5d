import { Hono } from 'hono/tiny'
import { contentTypeOf, type FileBucket, type StoredObject } from '../bytes/bucket.ts'
import { serveObject } from '../bytes/serve.ts'
import { type AdminContext, bucketOf, limitOf } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid } from '../kernel/errors.ts'

/** The key prefix of all files. Earlier versions stored the files of the preview in the same bucket under `pv/`. */
const KEY_PREFIX = 'f/'

export const operator = new Hono<AdminContext>()
  .get('/objects', async (c) => {
    const limit = limitOf(c.req.query('limit'))
    const cursor = c.req.query('cursor')
    return succeed(
      await listObjects(
        bucketOf(c.env, 'files', c.var.tier),
        limit,
        cursor === undefined ? null : readCursor(cursor),
      ),
    )
  })
  .get('/object', async (c) => {
    const key = c.req.query('key') ?? ''
    const answer = key.startsWith(KEY_PREFIX)
      ? await serveObject(bucketOf(c.env, 'files', c.var.tier), key, c.req.raw.headers, () => true)
      : null
    if (answer === null) throw new ApiError('not_found', 'No such object.')
    return answer
  })

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
    // Stop after an empty page: the next request would begin at the same object, and the loop would never end.
    isMore = page.truncated && page.objects.length > 0
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
  throw invalid('cursor', 'is not a cursor of this list')
}
