import { Hono } from 'hono'
import * as z from 'zod'
import { respondWithAction } from './rpc.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { readBody } from '../../rest/read-body.ts'
import type { BrowserRenderer } from './rendering.ts'

const Options = z.looseObject({})

/**
 * Quick actions of Browser Rendering over REST, mounted at /browser-rendering. Files are returned without the envelope, as at the
 * provider.
 */
export function browserRoutes({ rendering }: { rendering: BrowserRenderer }): Hono<ApiEnv> {
  return (
    new Hono<ApiEnv>()
      .use(requireScope('browser-rendering.write'))
      // The list is always empty, because sessions are not supported. Clients request it to find out whether the product exists.
      .get('/devtools/session', (c) => respond(c, []))
      .post('/:action{pdf|screenshot|markdown|content}', async (c) =>
        respondWithAction(rendering, c.req.param('action'), await readBody(c, Options)),
      )
  )
}
