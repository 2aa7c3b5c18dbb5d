import { Hono } from 'hono'
import type { Context } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callTimers } from './rpc-client.ts'

/** The routes of `/_app/schedule`, for a person who is signed in: GET and POST `/timers`, DELETE `/timers/:id`. */
const scheduleRoutes = new Hono()
  .get('/timers', async (c) => succeed(await callTimers(sessionOwner(c), 'list', null)))
  .post('/timers', async (c) => {
    const { at, name, data } = await readJson(c.req.raw)
    return succeed(await callTimers(sessionOwner(c), 'set', { at, name, data }))
  })
  .delete('/timers/:id', async (c) =>
    succeed(await callTimers(sessionOwner(c), 'cancel', { id: c.req.param('id') })),
  )

const sessionOwner = (c: Context): { session: string } => ({ session: sessionOf(c.req.raw) ?? '' })

export const mount: Mount = { routes: scheduleRoutes }
