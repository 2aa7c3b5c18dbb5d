import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callVideo } from './rpc-client.ts'
import { video } from './server.ts'

/**
 * The routes of `/_app/video`, for the videos of the person who is signed in: POST `/uploads`, GET `/`, GET and DELETE `/:id`, GET
 * `/:id/player`.
 */
const videoRoutes = new Hono()
  .get('/', async (c) => succeed(await video.as(c.req.raw).list()))
  .post('/uploads', async (c) => {
    const { name, maxSeconds = null } = await readJson(c.req.raw)
    const { host } = new URL(c.req.url)
    const session = sessionOf(c.req.raw) ?? ''
    return succeed(await callVideo('create', { session, name, maxSeconds, host }))
  })
  .get('/:id', async (c) => succeed(await video.as(c.req.raw).get(c.req.param('id'))))
  .get('/:id/player', async (c) => succeed(await video.as(c.req.raw).playerUrl(c.req.param('id'))))
  .delete('/:id', async (c) => {
    await video.as(c.req.raw).remove(c.req.param('id'))
    return succeed(null)
  })

export const mount: Mount = { routes: videoRoutes }
