import { Hono } from 'hono'
import { succeed } from '../../kernel/envelope.ts'
import { readJson } from '../../kernel/guard.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { AdminContext } from '../../kernel/admin.ts'
import { valueIn } from '../../kernel/errors.ts'

/** The routes of `/release` in the admin worker: a ship sets the release that the objects use from then on. */
export const releaseOperator = new Hono<AdminContext>().post('/activate', async (c) => {
  const { hash, manifest } = (await readJson(c.req.raw)) as { hash: string; manifest: Manifest }
  return succeed(valueIn(await c.env.LIVE.activate(c.var.tier, hash, manifest)))
})
