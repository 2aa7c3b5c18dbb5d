import { Hono } from 'hono'
import { type AdminContext, opened } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'

/** `/render` of the admin worker: GET `/spend`. */
export const operator = new Hono<AdminContext>().get('/spend', async (c) =>
  succeed(await opened(c.env.LIVE.renderSpend())),
)
