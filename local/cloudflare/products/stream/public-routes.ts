import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import type { Context } from 'hono'
import type { Video, Videos } from './videos.ts'

// The provider's limit for an upload in one request.
const UPLOAD_BYTES_MAX = 200 * 1024 * 1024
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-expose-headers': 'content-range, accept-ranges',
}

/** Upload and playback for browsers without credentials, mounted at /cloudflare/stream. */
export function streamPublicRoutes(videos: Videos): Hono {
  return (
    new Hono()
      .use(async (c, next) => {
        if (c.req.method === 'OPTIONS') return c.body(null, 204, CORS_HEADERS)
        await next()
        for (const [name, value] of Object.entries(CORS_HEADERS)) c.res.headers.set(name, value)
        return undefined
      })
      .post('/upload/:uid', async (c) => {
        const video = videos.find(c.req.param('uid'))
        if (video === null) return c.text('No such upload', 404)
        if (Number(c.req.header('content-length') ?? 0) > UPLOAD_BYTES_MAX) return c.text('Too large', 413)
        const form = await c.req.formData().catch(() => null)
        const file = form?.get('file')
        if (!(file instanceof Blob)) return c.text("Decoding error: the form field 'file' is missing", 400)
        const isTaken = videos.upload(video, new Uint8Array(await file.arrayBuffer()))
        return isTaken ? c.text('', 200) : c.text('This link was used already or has expired', 400)
      })
      .get('/:id/thumbnails/:name', (c) =>
        findReadyVideo(videos, c) === null
          ? c.text('Not found', 404)
          : c.body(POSTER_SVG, 200, { 'content-type': 'image/svg+xml' }),
      )
      .get('/:id/iframe', (c) => {
        const video = findReadyVideo(videos, c)
        return video === null
          ? c.text('Not found', 404)
          : c.html(
              '<!doctype html><title>Video</title><video controls src="watch" style="width:100%"></video>',
            )
      })
      // For every requested format, returns the file as it was uploaded.
      .get('/:id/:form{watch|manifest/video\\.m3u8|manifest/video\\.mpd|downloads/default\\.mp4}', (c) => {
        const video = findReadyVideo(videos, c)
        return video === null ? c.text('Not found', 404) : serveFile(c, video, videos.path(video))
      })
  )
}

const POSTER_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#222"/><path d="M6.5 2.5v4l3.5-2z" fill="#fff"/></svg>'

function findReadyVideo(videos: Videos, c: Context): Video | null {
  const video = videos.findPlayable(c.req.param('id') ?? '')
  return video !== null && videos.state(video) === 'ready' ? video : null
}

function serveFile(c: Context, { size }: Video, path: string): Response {
  const range = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/.exec(c.req.header('range') ?? '')
  const [, first, last, suffix] = range ?? []
  const start = suffix === undefined ? Number(first ?? 0) : Math.max(0, size - Number(suffix))
  const end = Math.min(last === undefined || last === '' ? size - 1 : Number(last), size - 1)
  if (start > end) return c.body(null, 416, { 'content-range': `bytes */${size}` })
  const headers = {
    'content-type': 'video/mp4',
    'content-length': String(end - start + 1),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${size}` }),
  }
  const status = range === null ? 200 : 206
  // Nothing would read the body of a response to HEAD, so its file would stay open.
  if (c.req.method === 'HEAD') return c.body(null, status, headers)
  const body = Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream<Uint8Array>
  return c.body(body, status, headers)
}
