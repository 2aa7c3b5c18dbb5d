import { transact } from '../../db/database.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import { listResourcesIn } from '../../resources/list.ts'
import type { AppTier } from '../../resource-names.ts'
import {
  deleteResourceRow,
  resourceKey,
  storeProviderId,
  reserveResource,
  settleResource,
} from '../../resources/registry.ts'
import type { ResourceWork } from '../../resources/work.ts'
import type { StripeAccess } from '../../stripe/client.ts'
import {
  changeEndpoint,
  createEndpoint,
  type StripeEndpoint,
  findEndpoint,
  hasAllEvents,
  listEndpoints,
  removeEndpoint,
} from '../../stripe/endpoints.ts'
import { hasSecret, storeSecret } from '../../capability-state/secrets.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { ENDPOINT_SECRETS } from './declaration.ts'
import {
  matchesDesired,
  modeOf,
  endpointKey,
  stripeUseOf,
  type DesiredEndpoint,
  type StripeEndpointContext,
  desiredEndpoint,
} from '../../capability-state/pay-endpoint-state.ts'

/** Creates or updates a webhook endpoint for each stored key, and removes the rows of endpoints whose key was removed. Idempotent. */
export async function syncEndpoints(work: ResourceWork<'keyring' | 'makers'>): Promise<void> {
  const { platform, cloud, project } = work
  const modes = await platform.accounts.openStripeModes(stripeUseOf(work))
  const names = modes.map(({ mode }) => endpointKey(project, mode))
  const rows = await listResourcesIn(platform.db, project, cloud.accountId)
  // Without the key the endpoint cannot be deleted at Stripe, so only the row is removed.
  for (const row of rows.filter(({ kind, name }) => kind === 'webhook_endpoint' && !names.includes(name)))
    await deleteResourceRow(platform.db, project, row.id)
  for (const { mode } of modes) {
    const key = {
      kind: 'webhook_endpoint' as const,
      name: endpointKey(project, mode),
      account_id: cloud.accountId,
    }
    const row = await reserveResource(platform, resourceKey(project, key), {
      tier: 'shared',
      capability: 'pay',
      exists: async () => false,
    })
    await makeEndpoint(work, { ...row, kind: 'webhook_endpoint' })
  }
}

/**
 * Creates the endpoint of a row, or updates its address and state. Stripe shows a secret only once. So an endpoint whose secret was lost
 * with the response is deleted and created again, and the live worker is published with the new secret.
 */
export async function makeEndpoint(
  work: ResourceWork<'keyring' | 'makers'>,
  row: RegisteredResource,
): Promise<void> {
  const { platform, project } = work
  const modes = await platform.accounts.openStripeModes(stripeUseOf(work))
  const access = modes.find(({ mode }) => mode === modeOf(row))
  if (access === undefined) return void (await deleteResourceRow(platform.db, project, row.id))
  const desired = await desiredEndpoint(work, modes, access.mode)
  const known = await listEndpoints(access, project.id)
  const ours = known.find(({ id }) => id === row.provider_id)
  const isKept =
    ours !== undefined && (await hasSecret(platform.db, project, 'pay', ENDPOINT_SECRETS[access.mode]))
  for (const endpoint of known) if (!isKept || endpoint !== ours) await removeEndpoint(access, endpoint)
  const endpoint = isKept ? ours : await createAndStore(work, access, row, desired.url)
  if (!isAsDesired(endpoint, desired)) await changeEndpoint(access, endpoint.id, desired)
  await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId: endpoint.id })
  if (!isKept) await platform.makers.live(work)
}

const isAsDesired = (endpoint: StripeEndpoint, desired: DesiredEndpoint): boolean =>
  matchesDesired(endpoint, desired) && hasAllEvents(endpoint)

/** Creates an endpoint and stores its secret with its id, in one transaction. */
async function createAndStore(
  { platform, project }: ResourceWork<'keyring'>,
  access: StripeAccess,
  row: RegisteredResource,
  url: string,
): Promise<StripeEndpoint> {
  const made = await createEndpoint(access, { url, projectId: project.id, projectName: project.name })
  await transact(platform.db, async (trx) => {
    const secret = { name: ENDPOINT_SECRETS[access.mode], value: made.secret }
    await storeSecret(platform, trx, project, capabilityOf('pay'), secret)
    await storeProviderId(trx, project, row, made.id)
  })
  return made
}

/** Updates the address and state of each endpoint when a tier goes live (`serving`) or is about to be stopped (`resting`). */
export async function updateEndpoints(
  work: StripeEndpointContext,
  change: { serving?: AppTier; resting?: AppTier },
): Promise<void> {
  const { platform, cloud, project } = work
  const rows = (await listResourcesIn(platform.db, project, cloud.accountId)).filter(
    ({ kind, provider_id: id }) => kind === 'webhook_endpoint' && id !== null,
  )
  if (rows.length === 0) return
  try {
    const modes = await platform.accounts.openStripeModes(stripeUseOf(work))
    for (const row of rows) {
      const access = modes.find(({ mode }) => mode === modeOf(row))
      const found = access === undefined ? null : await findEndpoint(access, row.provider_id ?? '')
      if (access === undefined || found === null) continue
      const desired = await desiredEndpoint(work, modes, access.mode, change)
      if (!isAsDesired(found, desired)) await changeEndpoint(access, found.id, desired)
    }
  } catch (error) {
    // A failure of Stripe must not fail the publishing or stopping of an app. The console then reports that the
    // endpoint was changed, and the next ship repairs the endpoint.
    if (!(error instanceof ProviderError)) throw error
    platform.log.warn({ err: error, projectId: project.id }, 'the endpoints at Stripe were not changed')
  }
}
