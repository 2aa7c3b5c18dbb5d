import { Hono } from 'hono'
import { getRecord } from '../data/rpc-client.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { isEnabled } from '../kernel/worker/env.ts'
import { queryIn, readJson } from '../kernel/access/guard.ts'
import { callerOf } from '../kernel/access/session.ts'
import { manifest } from '../manifest.gen.ts'
import { removeBytes } from './copies.ts'
import { callFiles, callOwnFiles, fileBucket } from './rpc-client.ts'
import { serveFile } from './serve.ts'
import {
  cancelUpload,
  completeParts,
  openOwnUpload,
  openUpload,
  PART_BYTES,
  storePart,
  storeWhole,
} from './store-bytes.ts'

/** The largest body of one request. Larger files are sent in parts. */
const SINGLE_UPLOAD_BYTES_MAX = 95 * 1024 * 1024
const TICKET_HEADER = 'x-files-ticket'
const TOKEN_HEADER = 'x-files-token'

/**
 * The routes of `/_app/files`.
 * Upload: POST `/` opens an upload, for a person who is signed in, or for anyone with a ticket, which the
 * app's server code signs for one upload. The response contains a token, with which PUT `/:id` sends the bytes;
 * or, for a large file, PUT `/:id/parts/:n` and then POST `/:id/complete`. DELETE `/:id` with the token cancels the upload.
 * Read: GET `/:id` for anyone with a signed link and for the owner, GET `/in/:collection/:record/:field` for
 * those who may read the record.
 * Manage: GET `/`, GET `/:id/url` and DELETE `/:id` for a person who is signed in. People manage their own
 * files, and staff all files.
 */
const filesRoutes = new Hono()
  .post('/', async (c) => {
    const ticket = c.req.header(TICKET_HEADER)
    const { name, type, size } = await readJson(c.req.raw)
    const wanted = { name, type, size }
    const { file, token } =
      ticket === undefined
        ? await openOwnUpload(requireSession(c.req.raw), wanted)
        : await openUpload({ file: wanted, ticket })
    return succeed({ id: file.id, token, partBytes: file.size > SINGLE_UPLOAD_BYTES_MAX ? PART_BYTES : null })
  })
  .put('/:id', async (c) => {
    const going = await ongoingUpload(c.req.raw, c.req.param('id'))
    if (going.file.size > SINGLE_UPLOAD_BYTES_MAX)
      throw invalid('body', 'a file of this size must be sent in parts')
    return succeed(await storeWhole(going, requireBodyStream(c.req.raw)))
  })
  .put('/:id/parts/:number', async (c) => {
    const going = await ongoingUpload(c.req.raw, c.req.param('id'))
    await storePart(going, Number(c.req.param('number')), requireBodyStream(c.req.raw))
    return succeed(null)
  })
  .post('/:id/complete', async (c) =>
    succeed(await completeParts(await ongoingUpload(c.req.raw, c.req.param('id')))),
  )
  .get('/', async (c) => {
    const { owner, everyone, limit, cursor } = queryIn(c.req.url, ['owner', 'everyone', 'limit', 'cursor'])
    const whose = everyone === undefined ? owner : null
    const query = {
      ...(whose !== undefined && { owner: whose }),
      ...(limit !== undefined && { limit: Number(limit) }),
      ...(cursor !== undefined && { cursor }),
    }
    return succeed(await callOwnFiles(requireSession(c.req.raw), 'list', query))
  })
  .get('/:id/url', async (c) => {
    const { seconds = '3600', download } = c.req.query()
    const id = c.req.param('id')
    const ask = { id, ttlSeconds: Number(seconds), isDownload: download !== undefined }
    const query = await callOwnFiles(requireSession(c.req.raw), 'sign', ask)
    return succeed({ url: `/_app/files/${id}?${query}` })
  })
  .delete('/:id', async (c) => {
    const id = c.req.param('id')
    if (c.req.header(TOKEN_HEADER) !== undefined) {
      await cancelUpload(await ongoingUpload(c.req.raw, id))
      return succeed({ id })
    }
    await removeBytes(fileBucket(), [await callOwnFiles(requireSession(c.req.raw), 'remove', { id })])
    await callFiles('gone', { ids: [id] })
    return succeed({ id })
  })
  .get('/in/:collection/:record/:field', async (c) => {
    const { collection, record: id, field } = c.req.param()
    const { partition, download, width } = c.req.query()
    const spec = Object.hasOwn(manifest.collections, collection)
      ? manifest.collections[collection]
      : undefined
    const isFile =
      spec !== undefined && Object.hasOwn(spec.fields, field) && spec.fields[field]?.type === 'file'
    if (!isFile) throw new ApiError('not_found', 'There is no such file field.')
    const record: Record<string, unknown> = await getRecord(callerOf(c.req.raw), collection, id, partition)
    const file = typeof record[field] === 'string' ? await callFiles('find', { id: record[field] }) : null
    const answer =
      file === null
        ? null
        : await serveFile(file, c.req.raw.headers, { isDownload: download !== undefined, width })
    if (answer === null) throw new ApiError('not_found', 'There is no such file.')
    // Do not cache: the right to read the record may change, and another person may use this browser.
    answer.headers.set('cache-control', 'private, no-store')
    return answer
  })
  .get('/:id', async (c) => {
    const { search, searchParams } = new URL(c.req.url)
    const { width } = c.req.query()
    if (!searchParams.has('sig') && typeof callerOf(c.req.raw) !== 'string') {
      const file = await callOwnFiles(requireSession(c.req.raw), 'find', { id: c.req.param('id') })
      const own = await serveFile(file, c.req.raw.headers, {
        isDownload: searchParams.has('download'),
        width,
      })
      if (own === null) throw new ApiError('not_found', 'There is no such file.')
      // Do not cache: the next person at this browser must not find the file.
      own.headers.set('cache-control', 'private, no-store')
      return own
    }
    const good = await callFiles('verify', { id: c.req.param('id'), query: search })
    const answer =
      good === null
        ? null
        : await serveFile(good.file, c.req.raw.headers, { isDownload: good.isDownload, width })
    if (answer === null) throw new ApiError('not_found', 'There is no such file, or the link has expired.')
    return answer
  })

/** Returns the session. Throws for a visitor, who can upload only with a ticket. */
function requireSession(request: Request): string {
  const caller = callerOf(request)
  if (typeof caller !== 'string') return caller.session
  const problem = isEnabled('auth') ? 'Sign in first.' : 'An upload needs a ticket from the app.'
  throw new ApiError('unauthorized', problem)
}

/**
 * Returns whether the body is a file, which is streamed to the bucket. The body may not exceed the size that was given when the upload was
 * opened.
 */
const isFileUpload = (method: string, pathname: string): boolean =>
  method === 'PUT' && /^\/_app\/files\/[^/]+(?:\/parts\/\d+)?$/.test(pathname)

const ongoingUpload = (request: Request, id: string) =>
  callFiles('going', { id, token: request.headers.get(TOKEN_HEADER) ?? '' })

function requireBodyStream(request: Request): ReadableStream {
  if (request.body === null) throw invalid('body', 'is missing')
  return request.body
}

export const mount: Mount = { routes: filesRoutes, isStream: isFileUpload }
