import { Hono } from 'hono'
import { auth } from '../auth/server.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { ApiError, invalid, rateLimitedError } from '../kernel/errors.ts'
import { readJson } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { RequestLimiter } from '../kernel/access/request-limiter.ts'
import { manifest } from '../manifest.gen.ts'
import { ai } from './server.ts'
import type { AiTaskSpec } from './types.ts'

const INPUT_CHARS_MAX = 100_000
/**
 * How many tasks one IP address may run in a minute. The budget belongs to the whole app, and one visitor
 * must not use it up.
 */
const TASKS_A_MINUTE = 20

const networkVisits = new RequestLimiter(TASKS_A_MINUTE)

/** The routes of `/_app/ai`: POST `/:task` with an `input`. With `?stream=1` the response is text, sent while the model writes it. */
const aiRoutes = new Hono().post('/:task', async (c) => {
  const spec = manifest.ai?.find(({ task }) => task === c.req.param('task'))
  if (spec === undefined || (spec.access ?? 'nobody') === 'nobody')
    throw new ApiError('not_found', 'There is no such task for pages; app.json declares them under "ai".')
  await requireAccess(spec, c.req.raw)
  const { input } = await readJson(c.req.raw)
  const prompt = typeof input === 'object' && input !== null ? JSON.stringify(input) : String(input ?? '')
  if (prompt === '' || prompt.length > INPUT_CHARS_MAX)
    throw invalid('input', `must have 1 to ${INPUT_CHARS_MAX} characters`)
  const wait = networkVisits.count(c.req.header('cf-connecting-ip') ?? '', Date.now())
  if (wait > 0) throw rateLimitedError('Too many requests.', wait)
  const ask = { system: spec.system, prompt }
  if (spec.schema !== undefined) return succeed(await ai.object(spec.schema, ask))
  if (c.req.query('stream') === undefined) return succeed({ text: (await ai.run(ask)).text })
  return new Response(await ai.stream(ask), {
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Prevents compression, which would buffer the response, so that the text would arrive all at once.
      'content-encoding': 'identity',
    },
  })
})

async function requireAccess({ access }: AiTaskSpec, request: Request): Promise<void> {
  if (access === 'public') return
  await auth.require(request, access === 'staff' ? { role: 'staff' } : {})
}

export const mount: Mount = { routes: aiRoutes }
