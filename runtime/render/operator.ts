import { Hono } from 'hono'
import type { AdminContext } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'
import { valueIn } from '../kernel/errors.ts'

/** `/render` of the admin worker: GET `/spend`. */
export const operator = new Hono<AdminContext>().get('/spend', async (c) =>
  succeed(valueIn(await c.env.LIVE.renderSpend())),
)
