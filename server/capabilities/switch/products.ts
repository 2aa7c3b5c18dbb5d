import { LRUCache } from 'lru-cache'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { FINDING_CACHE_MS } from '../../resources/inspect.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { joinReason } from '../../capability-declaration/capability.ts'
import { ACTIONS } from '../actions.ts'

/**
 * When an account was last known to have a product, in epoch milliseconds. Trusted for a minute, like the
 * results of other checks of an account.
 */
const productSeenAt = new LRUCache<string, number>({ max: 10_000 })

interface ProductRow {
  key: string
  state: 'creating' | 'idle' | 'error'
  generation: number
}

/**
 * Returns the keys of the enabled capabilities. Leaves out capabilities whose product the account refuses, because
 * Cloudflare refuses a worker with a binding to a missing product. Stores the refusal as the capability's error. When
 * the account does not respond, includes a capability that was set up before, so that its binding is kept.
 */
export async function usableCapabilities(
  work: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
): Promise<Set<string>> {
  const { platform, project } = work
  const rows = await platform.db
    .selectFrom('capabilities')
    .select(['key', 'state', 'generation'])
    .where('project_id', '=', project.id)
    .where('enabled', '=', true)
    .execute()
  const usable = await Promise.all(rows.map(async (row) => ((await hasProduct(work, row)) ? [row.key] : [])))
  return new Set(usable.flat())
}

async function hasProduct(
  { platform, cloud, project }: Pick<ResourceWork, 'platform' | 'cloud' | 'project'>,
  { key, state, generation }: ProductRow,
): Promise<boolean> {
  const require = isCapabilityKey(key) ? ACTIONS[key]?.requireProduct : undefined
  const place = `${cloud.accountId} ${key}`
  const nowMs = platform.clock.now().getTime()
  if (require === undefined || nowMs - (productSeenAt.get(place) ?? -Infinity) < FINDING_CACHE_MS) return true
  try {
    await require(cloud)
    productSeenAt.set(place, nowMs)
    return true
  } catch (error) {
    if (!(error instanceof CloudflareError)) throw error
    // The provider did not respond, or the credential is invalid. It is unknown whether the account has the product,
    // so an existing binding is kept.
    if (error.retryable || error.fault === 'reconnect')
      return state === 'idle' || (state === 'creating' && generation > 1)
    // In the state `creating` the provisioning job stores the result.
    if (state === 'idle')
      await platform.db
        .updateTable('capabilities')
        .set({ state: 'error', error: joinReason({ code: error.fault, message: error.message }) })
        .where('project_id', '=', project.id)
        .where('key', '=', key)
        .where('generation', '=', generation)
        .execute()
    return false
  }
}
