import { Hono } from 'hono'
import * as z from 'zod'
import { deleteGateway, findGateway, type Gateway, listGateways, putGateway } from './gateways.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, isoTime, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'

const Settings = z.looseObject({
  cache_invalidate_on_update: z.boolean().default(true),
  cache_ttl: z.number().int().min(0).nullable().default(0),
  collect_logs: z.boolean().default(true),
  rate_limiting_interval: z.number().int().min(0).nullable().default(0),
  rate_limiting_limit: z.number().int().min(0).nullable().default(0),
  rate_limiting_technique: z.enum(['fixed', 'sliding']).default('fixed'),
})
const NewGateway = Settings.extend({
  id: z
    .string()
    .regex(/^[a-z0-9_]+(?:-[a-z0-9_]+)*$/, 'must be a slug')
    .max(64),
})

/** AI Gateways over REST, mounted at /ai-gateway/gateways. Unknown settings are stored and returned unchanged. */
export function aiGatewayRoutes({ store, now }: Cloud): Hono<ApiEnv> {
  const requireGateway = (accountId: string, id: string): Gateway => {
    const found = findGateway(store, accountId, id)
    if (found === null) throw new ApiFailure(404, 7002, 'The gateway does not exist.')
    return found
  }
  return new Hono<ApiEnv>()
    .use(requireScope('aig.write'))
    .get('/', (c) => {
      const part = c.req.query('search') ?? ''
      const found = listGateways(store, c.get('account').id).filter(({ id }) => id.includes(part))
      return respondWithPage(c, found.map(toGateway))
    })
    .post('/', async (c) => {
      const { id, ...settings } = await readBody(c, NewGateway)
      const accountId = c.get('account').id
      if (findGateway(store, accountId, id) !== null)
        throw new ApiFailure(409, 7001, `A gateway named ${id} exists already.`)
      putGateway(store, accountId, { id, settings, at: now() })
      return respond(c, toGateway(requireGateway(accountId, id)))
    })
    .get('/:id', (c) => respond(c, toGateway(requireGateway(c.get('account').id, c.req.param('id')))))
    .put('/:id', async (c) => {
      const { id } = requireGateway(c.get('account').id, c.req.param('id'))
      putGateway(store, c.get('account').id, { id, settings: await readBody(c, Settings), at: now() })
      return respond(c, toGateway(requireGateway(c.get('account').id, id)))
    })
    .delete('/:id', (c) => {
      const gateway = requireGateway(c.get('account').id, c.req.param('id'))
      deleteGateway(store, c.get('account').id, gateway.id)
      return respond(c, toGateway(gateway))
    })
}

function toGateway({ id, settings, createdAt, modifiedAt }: Gateway): object {
  return { id, ...settings, created_at: isoTime(createdAt), modified_at: isoTime(modifiedAt) }
}
