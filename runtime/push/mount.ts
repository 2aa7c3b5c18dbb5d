import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callPush } from './rpc-client.ts'
import { WORKER_SOURCE } from './service-worker.ts'

/**
 * The routes of `/_app/push`. For a person who is signed in: GET `/key`, which browsers need to subscribe, POST and DELETE `/devices`. For
 * anyone: GET `/sw.js`, the service worker that shows notifications.
 */
const pushRoutes = new Hono()
  .get(
    '/sw.js',
    () =>
      new Response(WORKER_SOURCE, {
        headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
      }),
  )
  .get('/key', async (c) =>
    succeed(
      await callPush('key', { session: sessionOrEmpty(c.req.raw), device: c.req.query('device') ?? null }),
    ),
  )
  .post('/devices', async (c) => {
    const subscription = await readJson(c.req.raw)
    const { host } = new URL(c.req.url)
    return succeed(await callPush('add', { session: sessionOrEmpty(c.req.raw), host, subscription }))
  })
  .delete('/devices', async (c) => {
    const { id } = await readJson(c.req.raw)
    return succeed(await callPush('remove', { session: sessionOrEmpty(c.req.raw), id }))
  })

const sessionOrEmpty = (request: Request): string => sessionOf(request) ?? ''

export const mount: Mount = { routes: pushRoutes }
