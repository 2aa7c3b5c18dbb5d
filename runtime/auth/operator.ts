import { Hono } from 'hono/tiny'
import { removeBytes } from '../files/copies.ts'
import { type AdminContext, findBucket, limitOf } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import type { RemoveBytes } from '../kernel/objects/erasure.ts'
import { invalid, unwrapResult } from '../kernel/errors.ts'
import { readJson } from '../kernel/access/guard.ts'

export const operator = new Hono<AdminContext>()
  .get('/users', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.users(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .get('/outbox', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.outbox(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .get('/people', async (c) => {
    const { q = '', createdAt, id, limit } = c.req.query()
    const after = createdAt === undefined || id === undefined ? null : { createdAt, id }
    const ask = { q, after, limit: limitOf(limit) }
    return succeed(unwrapResult(await c.env.LIVE.people(c.var.tier, ask)))
  })
  .post('/users/:id/role', async (c) => {
    const { role } = await readJson(c.req.raw)
    if (role !== 'member' && role !== 'staff') throw invalid('role', 'must be member or staff')
    return succeed(unwrapResult(await c.env.LIVE.setRole(c.var.tier, c.req.param('id'), role)))
  })
  .delete('/users/:id', async (c) => {
    const removeFrom: RemoveBytes = async (keys, capability = 'files') => {
      const bucket = findBucket(c.env, capability, c.var.tier)
      if (bucket !== undefined) await removeBytes(bucket, keys)
      return keys.length === 0 || bucket !== undefined
    }
    return succeed(unwrapResult(await c.env.LIVE.erase(c.var.tier, c.req.param('id'), removeFrom)))
  })
