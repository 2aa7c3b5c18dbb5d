import { Hono } from 'hono/tiny'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { readServiceBody } from '../kernel/access/guard.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { unwrapResult } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>()
  .post('/run', async (c) => {
    const { prompt } = await readServiceBody<{ prompt: string }>(c.req.raw)
    const { text } = unwrapResult(await c.env.LIVE.aiRun(prompt))
    return succeed({ text })
  })
  .get('/spend', async (c) => succeed(unwrapResult(await c.env.LIVE.aiSpend())))
