import { Hono } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import { readJson } from '../kernel/guard.ts'
import { type AdminContext, limitOf, opened } from '../kernel/admin.ts'

/** `/data` of the admin worker: what the operator reads and changes. */
export const operator = new Hono<AdminContext>()
  .get('/collections', async (c) => succeed(await opened(c.env.LIVE.collections(c.var.tier))))
  .get('/records/:collection', async (c) => {
    const limit = limitOf(c.req.query('limit'))
    return succeed(await opened(c.env.LIVE.records(c.var.tier, c.req.param('collection'), limit)))
  })
  .put('/records/:collection/:partition/:id', async (c) => {
    const record = await readJson(c.req.raw)
    return succeed(await opened(c.env.LIVE.replace(c.var.tier, c.req.param(), record)))
  })
  .delete('/records/:collection/:partition/:id', async (c) =>
    succeed(await opened(c.env.LIVE.remove(c.var.tier, c.req.param()))),
  )
  .get('/query', async (c) => {
    const { collection = '', q = '' } = c.req.query()
    const search = { q, limit: limitOf(c.req.query('limit')) }
    return succeed(await opened(c.env.LIVE.search(c.var.tier, collection, search)))
  })
