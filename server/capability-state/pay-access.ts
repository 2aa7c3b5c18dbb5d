import { recordActivity } from '../activity/log.ts'
import type { Needs } from '../platform.ts'
import { modeOfKey, stripeBase, type StripeAccess, type StripeMode } from '../stripe/client.ts'
import { StripeError } from '../stripe/errors.ts'
import { readSecret } from './secrets.ts'

interface Owner {
  id: string
  org_id: string
  name: string
}

export interface StripeUse {
  platform: Needs<'config' | 'keyring'>
  project: Owner
  actor: string
  signal?: AbortSignal | undefined
}

/** The name of the secret that contains the Stripe key of each mode. */
export const KEY_NAMES: Record<StripeMode, string> = { live: 'stripeKey', test: 'stripeTestKey' }

/**
 * Returns what calls to Stripe with this key need. Throws for a key of the local emulator of Stripe while that
 * emulator is disabled.
 */
export function openStripe({ platform, project, actor, signal }: StripeUse, key: string): StripeAccess {
  const base = stripeBase(platform.config, key)
  if (base === null)
    throw new StripeError(
      'bad_secret',
      'The stored key is one of the local Stripe, which is off here. Give a key of your Stripe account.',
      { status: null },
    )
  return {
    base,
    key,
    mode: modeOfKey(key),
    signal,
    record: (change) =>
      recordActivity(platform.db, {
        orgId: project.org_id,
        at: platform.clock.now(),
        provider: 'stripe',
        actor,
        ...change,
        projectId: project.id,
        projectName: project.name,
      }),
  }
}

/** Returns the access for each mode whose key is stored. The first one is for the mode in which the live app sells. */
export async function openModes(use: StripeUse): Promise<StripeAccess[]> {
  const { platform, project } = use
  const found: StripeAccess[] = []
  for (const name of [KEY_NAMES.live, KEY_NAMES.test]) {
    const key = await readSecret(platform, project, 'pay', name)
    if (key !== null) found.push(openStripe(use, key))
  }
  return found
}
