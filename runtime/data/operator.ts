import { Hono } from 'hono/tiny'
import { succeed } from '../kernel/worker/envelope.ts'
import { invalid, unwrapResult } from '../kernel/errors.ts'
import { readJson, readServiceBody } from '../kernel/access/guard.ts'
import { type AdminContext, limitOf } from '../kernel/objects/admin.ts'
import type { AddCall } from './partition/add.ts'
import type { OperatorQuery } from './frames.ts'
import { isFields } from '../kernel/fields.ts'

export const operator = new Hono<AdminContext>()
  .get('/collections', async (c) => succeed(unwrapResult(await c.env.LIVE.collections(c.var.tier))))
  .get('/records/:collection', async (c) => {
    const limit = limitOf(c.req.query('limit'))
    return succeed(unwrapResult(await c.env.LIVE.records(c.var.tier, c.req.param('collection'), limit)))
  })
  .get('/pages/:collection', async (c) =>
    succeed(
      unwrapResult(
        await c.env.LIVE.page(c.var.tier, c.req.param('collection'), operatorQueryOf(c.req.query())),
      ),
    ),
  )
  .post('/records/:collection/:partition', async (c) => {
    const { collection, partition } = c.req.param()
    const { records, isTrial } = await readServiceBody<Pick<AddCall, 'records' | 'isTrial'>>(c.req.raw)
    const call = { collection, records, isTrial }
    return succeed(unwrapResult(await c.env.LIVE.add(c.var.tier, partition, call)))
  })
  .put('/records/:collection/:partition/:id', async (c) => {
    const record = await readJson(c.req.raw)
    return succeed(unwrapResult(await c.env.LIVE.replace(c.var.tier, c.req.param(), record)))
  })
  .delete('/records/:collection/:partition/:id', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.remove(c.var.tier, c.req.param()))),
  )
  .get('/query', async (c) => {
    const { collection = '', q = '' } = c.req.query()
    const search = { q, limit: limitOf(c.req.query('limit')) }
    return succeed(unwrapResult(await c.env.LIVE.search(c.var.tier, collection, search)))
  })

/** Reads the query parameters. Values are validated later, when the collection is known. */
function operatorQueryOf({ partition, sort, limit, cursor, where }: Record<string, string>): OperatorQuery {
  return {
    partition,
    sort,
    cursor,
    where: parseConditions(where),
    limit: limit === undefined ? limit : limitOf(limit),
  }
}

function parseConditions(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value = JSON.parse(text)
    if (isFields(value)) return value
  } catch {
    // Ignore the parse error: the next line throws the same error for every invalid text.
  }
  throw invalid('where', 'must be an object of conditions as JSON')
}
