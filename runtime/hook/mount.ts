import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import { limitBody } from '../kernel/access/guard.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { manifest } from '../manifest.gen.ts'
import { callHook } from './rpc-client.ts'

const BODY_BYTES_MAX = 256 * 1024

/** The route `/_app/hook`: POST `/:name`, for senders that know the endpoint's secret. Status 202 means that the message is stored. */
const hookRoutes = new Hono().post('/:name', async (c) => {
  const name = c.req.param('name')
  const request = await limitBody(c.req.raw, BODY_BYTES_MAX)
  const message = { headers: Object.fromEntries(request.headers), bytes: await request.arrayBuffer() }
  const spec = manifest.hooks?.find((one) => one.name === name) ?? null
  const answer = await callHook('receive', { name, spec, message })
  if ('challenge' in answer) return Response.json(answer)
  const { body, headers } = succeed({ id: answer.id })
  return new Response(body, { status: 202, headers })
})

export const mount: Mount = {
  routes: hookRoutes,
  isStream: (_method, path) => path.startsWith('/_app/hook/'),
}
