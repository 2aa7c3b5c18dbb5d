import type { StripeUse } from '../account-port.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { latestDeployment } from '../deployments/store.ts'
import type { PlatformPorts } from '../platform.ts'
import { appName, type AppTier, type NamedProject } from '../resource-names.ts'
import type { StripeAccess, StripeMode } from '../stripe/client.ts'
import { type StripeEndpoint, findEndpoint, listEndpoints, removeEndpoint } from '../stripe/endpoints.ts'
import { enabledCapabilities } from './enabled.ts'
import { hasSecret } from './secrets.ts'
import { ENDPOINT_SECRETS } from '../capability-catalog/catalog.ts'

/** What a call to Stripe needs: the Stripe key, but not a client of the cloud account. */
type KeyedStripeUse = Omit<StripeUse, 'actor'> & { platform: PlatformPorts<'accounts'>; actor?: string }
export type StripeEndpointContext = KeyedStripeUse & { cloud: Cloud; project: NamedProject }

const APP_TIERS: readonly AppTier[] = ['production', 'preview']

/**
 * The name of a webhook endpoint in the table of resources. Stripe has no names for endpoints; at Stripe, the
 * endpoint's metadata contains the project.
 */
export const endpointKey = (project: { id: string }, mode: StripeMode): string => `${project.id}:${mode}`
export const modeOf = (row: { name: string }): StripeMode => (row.name.endsWith(':live') ? 'live' : 'test')

export const stripeUseOf = ({ project, actor = 'slipway', signal }: KeyedStripeUse): StripeUse => ({
  project,
  actor,
  signal,
})

export interface DesiredEndpoint {
  url: string
  disabled: boolean
}

export const matchesDesired = ({ url, status }: StripeEndpoint, desired: DesiredEndpoint): boolean =>
  url === desired.url && (status === 'disabled') === desired.disabled

/**
 * Returns the address to which Stripe should send the events of a mode, and whether the endpoint should be disabled.
 * Live events go to production. Test events go to the preview, or to production when only a test key is stored and
 * production is live. The endpoint is disabled while that tier is not live or the capability is disabled.
 */
export async function desiredEndpoint(
  { platform, cloud, project }: StripeEndpointContext,
  modes: StripeAccess[],
  mode: StripeMode,
  change: { serving?: AppTier; resting?: AppTier } = {},
): Promise<DesiredEndpoint> {
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

interface EndpointRow {
  name: string
  provider_id: string | null
}

/** Compares the endpoint at Stripe with what `desiredEndpoint` returns. */
export async function inspectEndpoint(
  where: StripeEndpointContext,
  row: EndpointRow,
): Promise<'ok' | 'missing' | 'drifted'> {
  const modes = await where.platform.accounts.openStripeModes(stripeUseOf(where))
  const access = modes.find(({ mode }) => mode === modeOf(row))
  if (access === undefined || row.provider_id === null) return 'missing'
  const found = await findEndpoint(access, row.provider_id)
  if (found === null) return 'missing'
  const { platform, project } = where
  const isSecretKept = await hasSecret(platform.db, project, 'pay', ENDPOINT_SECRETS[access.mode])
  return isSecretKept && matchesDesired(found, await desiredEndpoint(where, modes, access.mode))
    ? 'ok'
    : 'drifted'
}

/**
 * Removes the row's endpoint at Stripe, and the project's endpoints that have no row. Does nothing when the mode's key
 * is no longer stored, because Stripe cannot be called without it. `kept` contains the ids of the endpoints of other
 * rows.
 */
export async function deleteStripeEndpoint(
  where: KeyedStripeUse,
  row: EndpointRow,
  kept: ReadonlySet<string | null>,
): Promise<void> {
  const access = (await where.platform.accounts.openStripeModes(stripeUseOf(where))).find(
    ({ mode }) => mode === modeOf(row),
  )
  if (access === undefined) return
  for (const endpoint of await listEndpoints(access, where.project.id))
    if (!kept.has(endpoint.id)) await removeEndpoint(access, endpoint)
}
