import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { ensureResource } from './create-once.ts'

const GATEWAYS_PATH = '/accounts/:account/ai-gateway/gateways'
const gatewayPath = (id: string) => `${GATEWAYS_PATH}/${encodeURIComponent(id)}`
const Gateway = z.looseObject({ id: z.string() })
const Model = z.looseObject({ name: z.string() })
const MODELS_MAX = 1000

/** Prompts and responses are content of the app, so the gateway stores neither: it has no log and no cache. */
const GATEWAY_SETTINGS = {
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  collect_logs: false,
  rate_limiting_interval: 0,
  rate_limiting_limit: 0,
  rate_limiting_technique: 'fixed',
}

export const gatewayExists = async (cloud: Cloud, id: string): Promise<boolean> =>
  (await findGateway(cloud, id)) !== null

const findGateway = (cloud: Cloud, id: string) =>
  cloud.call({
    method: 'GET',
    path: gatewayPath(id),
    doing: `look up the AI gateway ${id}`,
    result: Gateway,
    missing: 'null',
  })

/**
 * Creates an AI gateway if it does not exist. A caller that knows the gateway to be missing sets `wasMissing` to save
 * a look-up. After a lost response the function looks for the gateway before it sends the call again.
 */
export async function ensureGateway(
  cloud: Cloud,
  id: string,
  { wasMissing = false }: { wasMissing?: boolean } = {},
): Promise<void> {
  const createGateway = () =>
    cloud.call({
      method: 'POST',
      path: GATEWAYS_PATH,
      json: { id, ...GATEWAY_SETTINGS },
      doing: `create the AI gateway ${id}`,
      result: Gateway,
      write: { action: 'ai_gateway.create', target: id },
    })
  await ensureResource({ find: () => findGateway(cloud, id), create: createGateway, wasMissing })
}

/** Deletes an AI gateway. Succeeds when there is none. */
export async function deleteGateway(cloud: Cloud, id: string): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: gatewayPath(id),
    doing: `remove the AI gateway ${id}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'ai_gateway.remove', target: id },
  })
}

/** Returns the names of the models that generate text. Reads one page, at most 1,000 models. */
export async function listTextModels(cloud: Cloud): Promise<string[]> {
  const models = await cloud.call({
    method: 'GET',
    path: '/accounts/:account/ai/models/search',
    query: { task: 'Text Generation', per_page: String(MODELS_MAX) },
    doing: 'list the models of the account',
    result: z.array(Model),
  })
  return models.map(({ name }) => name)
}
