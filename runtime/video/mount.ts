import { Hono } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import { readJson } from '../kernel/guard.ts'
import type { Mount } from '../kernel/mount.ts'
import { video } from './server.ts'
import type { NewVideo } from './types.ts'

/**
 * The routes of `/_app/video`, for the videos of the person who is signed in: POST `/uploads`, GET `/`, GET and DELETE `/:id`, GET
 * `/:id/player`.
 */
const routes = new Hono()
  .get('/', async (c) => succeed(await video.as(c.req.raw).list()))
  .post('/uploads', async (c) => {
    const wanted = (await readJson(c.req.raw)) as unknown as NewVideo
    return succeed(await video.as(c.req.raw).createUpload(wanted))
  })
  .get('/:id', async (c) => succeed(await video.as(c.req.raw).get(c.req.param('id'))))
  .get('/:id/player', async (c) => succeed(await video.as(c.req.raw).playerUrl(c.req.param('id'))))
  .delete('/:id', async (c) => {
    await video.as(c.req.raw).remove(c.req.param('id'))
    return succeed(null)
  })

export const mount: Mount = { routes }
