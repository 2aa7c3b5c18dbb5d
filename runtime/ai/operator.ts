import { Hono } from 'hono'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { readJson } from '../kernel/access/guard.ts'
import { valueIn } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>()
  .post('/run', async (c) => {
    const { prompt } = await readJson(c.req.raw)
    const { text } = valueIn(await c.env.LIVE.aiRun(String(prompt)))
    return succeed({ text })
  })
  .get('/spend', async (c) => succeed(valueIn(await c.env.LIVE.aiSpend())))
