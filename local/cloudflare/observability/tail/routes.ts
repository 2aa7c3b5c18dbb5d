import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { TailFilters, withOwnAddress } from './filters.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { findScriptOrRefuse } from '../../rest/find-script.ts'
import type { Script } from '../../types.ts'
import type { TailSessions } from './sessions.ts'

interface TailCloud extends Cloud {
  tails: TailSessions
  apps: Cloud['apps'] & { listen(script: Script): Promise<void> }
}

/** Sessions of `wrangler tail`; `socket.ts` sends the messages. */
export function tailRoutes(cloud: TailCloud): Hono<ApiEnv> {
  const { tails, apps } = cloud
  return new Hono<ApiEnv>()
    .get('/tails', (c) => {
      const script = findScriptOrRefuse(cloud, c)
      const shown = tails.list(script.accountId, script.name)
      return respond(
        c,
        shown.map(({ id, expiresAt }) => ({ id, expires_at: isoTime(expiresAt) })),
      )
    })
    .post('/tails', async (c) => {
      const { filters: given } = await readBody(c, TailFilters)
      const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
      const filters = withOwnAddress(given, incoming?.socket.remoteAddress)
      const script = findScriptOrRefuse(cloud, c)
      const session = tails.create({ accountId: script.accountId, script: script.name, filters })
      await apps.listen(script)
      const url = `ws://${new URL(c.req.url).host}/cloudflare/tails/${session.key}`
      return respond(c, { id: session.id, url, expires_at: isoTime(session.expiresAt) })
    })
    .delete('/tails/:tail', (c) => {
      const script = findScriptOrRefuse(cloud, c)
      const session = tails.list(script.accountId, script.name).find(({ id }) => id === c.req.param('tail'))
      if (session === undefined) throw new ApiFailure(404, 10057, 'This tail does not exist.')
      tails.remove(session.id)
      return respond(c, null)
    })
}
