import { Hono } from 'hono'
import type { Mount } from '../kernel/mount.ts'
import { succeed } from '../kernel/envelope.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { readJson } from '../kernel/guard.ts'
import { askFiles } from './live.ts'
import { serveFile } from './serve.ts'
import { completeParts, openUpload, PART_BYTES, storePart, storeWhole } from './store-bytes.ts'
import type { NewFile } from './types.ts'

/** Largest body of one request; larger files are sent in parts. */
const WHOLE_BYTES_MAX = 95 * 1024 * 1024
const TICKET = 'x-files-ticket'
const TOKEN = 'x-files-token'

/**
 * `/_app/files`: POST `/` opens an upload with a ticket from the app's server code, PUT `/:id` or PUT
 * `/:id/parts/:n` and POST `/:id/complete` send the bytes, GET `/:id` returns them to the holder of a link.
 * Every request needs a ticket, a token or a link.
 */
const routes = new Hono()
  .post('/', async (c) => {
    const ticket = c.req.header(TICKET)
    if (ticket === undefined) throw new ApiError('unauthorized', 'An upload needs a ticket from the app.')
    const { name, type, size } = (await readJson(c.req.raw)) as unknown as NewFile
    const { file, token } = await openUpload({ file: { name, type, size }, ticket })
    return succeed({ id: file.id, token, partBytes: file.size > WHOLE_BYTES_MAX ? PART_BYTES : null })
  })
  .put('/:id', async (c) => {
    const going = await goingUpload(c.req.raw, c.req.param('id'))
    if (going.file.size > WHOLE_BYTES_MAX) throw invalid('body', 'a file of this size comes in parts')
    return succeed(await storeWhole(going, bodyOf(c.req.raw)))
  })
  .put('/:id/parts/:number', async (c) => {
    const going = await goingUpload(c.req.raw, c.req.param('id'))
    await storePart(going, Number(c.req.param('number')), bodyOf(c.req.raw))
    return succeed(null)
  })
  .post('/:id/complete', async (c) =>
    succeed(await completeParts(await goingUpload(c.req.raw, c.req.param('id')))),
  )
  .get('/:id', async (c) => {
    const { search } = new URL(c.req.url)
    const good = await askFiles('verify', { id: c.req.param('id'), query: search })
    const answer = good === null ? null : await serveFile(good.file, c.req.raw.headers, good.isDownload)
    if (answer === null)
      throw new ApiError('not_found', 'There is no such file, or the link is no longer good.')
    return answer
  })

/** Routes whose body goes straight on into the bucket and is limited by what was announced. */
const isFileUpload = (method: string, pathname: string): boolean =>
  method === 'PUT' && /^\/_app\/files\/[^/]+(?:\/parts\/\d+)?$/.test(pathname)

const goingUpload = (request: Request, id: string) =>
  askFiles('going', { id, token: request.headers.get(TOKEN) ?? '' })

function bodyOf(request: Request): ReadableStream {
  if (request.body === null) throw invalid('body', 'is missing')
  return request.body
}

export const mount: Mount = { routes, isStream: isFileUpload }
