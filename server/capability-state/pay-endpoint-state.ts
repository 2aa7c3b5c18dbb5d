import type { StripeUse } from '../account-port.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { latestDeployment } from '../deployments/store.ts'
import type { Needs } from '../platform.ts'
import { appName, type AppTier, type Named } from '../resource-names.ts'
import type { StripeAccess, StripeMode } from '../stripe/client.ts'
import { type Endpoint, findEndpoint, listEndpoints, removeEndpoint } from '../stripe/endpoints.ts'
import { enabledCapabilities } from './enabled.ts'
import { hasSecret } from './secrets.ts'
import { ENDPOINT_SECRETS } from '../capability-catalog/catalog.ts'

/** What a call to Stripe needs. The cloud account is not part of it. */
type Keyed = Omit<StripeUse, 'actor'> & { platform: Needs<'accounts'>; actor?: string }
export type Where = Keyed & { cloud: Cloud; project: Named }

const APP_TIERS: readonly AppTier[] = ['production', 'preview']

/** The name of an endpoint in the registry. Stripe has no names for endpoints, so there the metadata contains the project. */
export const endpointKey = (project: { id: string }, mode: StripeMode): string => `${project.id}:${mode}`
export const modeOf = (row: { name: string }): StripeMode => (row.name.endsWith(':live') ? 'live' : 'test')

export const useOf = ({ project, actor = 'slipway', signal }: Keyed): StripeUse => ({
  project,
  actor,
  signal,
})

export interface EndpointWish {
  url: string
  disabled: boolean
}

export const isAsWished = ({ url, status }: Endpoint, wish: EndpointWish): boolean =>
  url === wish.url && (status === 'disabled') === wish.disabled

/**
 * Returns the address to which Stripe sends the events of a mode. One address serves both tiers, because the signature of an event tells
 * its mode. The endpoint is disabled while no tier serves at that address.
 */
export async function wishFor(
  { platform, cloud, project }: Where,
  modes: StripeAccess[],
  mode: StripeMode,
  change: { serving?: AppTier; resting?: AppTier } = {},
): Promise<EndpointWish> {
  const serving = new Set<AppTier>(change.serving === undefined ? [] : [change.serving])
  for (const tier of APP_TIERS)
    if (tier !== change.resting && (await latestDeployment(platform.db, project, tier, ['live'])) !== null)
      serving.add(tier)
  const isOnlyTest = !modes.some((one) => one.mode === 'live')
  const tier = mode === 'live' || (isOnlyTest && serving.has('production')) ? 'production' : 'preview'
  const isOn = (await enabledCapabilities(platform.db, project.id)).has('pay')
  return {
    url: `${cloud.appUrl(appName(project, tier))}/_app/pay/webhook`,
    disabled: !isOn || !serving.has(tier),
  }
}

interface Row {
  name: string
  provider_id: string | null
}

/** Compares the endpoint of a row with the one at Stripe. */
export async function inspectEndpoint(where: Where, row: Row): Promise<'ok' | 'missing' | 'drifted'> {
  const modes = await where.platform.accounts.openStripeModes(useOf(where))
  const access = modes.find(({ mode }) => mode === modeOf(row))
  if (access === undefined || row.provider_id === null) return 'missing'
  const found = await findEndpoint(access, row.provider_id)
  if (found === null) return 'missing'
  const { platform, project } = where
  const isSecretKept = await hasSecret(platform.db, project, 'pay', ENDPOINT_SECRETS[access.mode])
  return isSecretKept && isAsWished(found, await wishFor(where, modes, access.mode)) ? 'ok' : 'drifted'
}

/**
 * Removes the endpoint of a row, and endpoints of the project that have no row. An endpoint whose key is gone cannot be reached and remains
 * at Stripe. `kept` are the ids of the endpoints of other rows.
 */
export async function dropEndpoint(where: Keyed, row: Row, kept: ReadonlySet<string | null>): Promise<void> {
  const access = (await where.platform.accounts.openStripeModes(useOf(where))).find(
    ({ mode }) => mode === modeOf(row),
  )
  if (access === undefined) return
  for (const endpoint of await listEndpoints(access, where.project.id))
    if (!kept.has(endpoint.id)) await removeEndpoint(access, endpoint)
}
