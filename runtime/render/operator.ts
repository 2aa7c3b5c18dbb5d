import { Hono } from 'hono/tiny'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { readServiceBody } from '../kernel/access/guard.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid, unwrapResult } from '../kernel/errors.ts'
import type { Browser } from './within-budget.ts'
import { createRenderer } from './renderer.ts'
import type { RenderBinding } from './types.ts'

export const operator = new Hono<AdminContext>()
  .get('/spend', async (c) => succeed(unwrapResult(await c.env.LIVE.renderSpend())))
  .post('/run', async (c) => {
    const { as, url, own } = await readServiceBody<{ as: string; url: string; own: string[] }>(c.req.raw)
    const render = createRenderer(() => ({ ...bindingsOf(c.env), own }))
    if (as === 'pdf') return c.body(await render.pdf({ url }))
    if (as === 'screenshot') return c.body(await render.screenshot({ url }))
    if (as === 'markdown') return c.body(await render.markdown({ url }))
    throw invalid('as', 'must be pdf, screenshot or markdown')
  })

function bindingsOf(env: AdminContext['Bindings']): { browser: Browser; counter: RenderBinding } {
  const { BROWSER: browser, RENDERS: counter } = env as { BROWSER?: Browser; RENDERS?: RenderBinding }
  if (browser === undefined || counter === undefined)
    throw new ApiError('not_enabled', 'The capability render is off.')
  return { browser, counter }
}
