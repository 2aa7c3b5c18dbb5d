import type { StripeUse } from '../account-port.ts'
import { recordActivity } from '../activity/log.ts'
import type { PlatformPorts } from '../platform.ts'
import { modeOfKey, stripeBase, type StripeAccess, type StripeMode } from '../stripe/client.ts'
import { StripeError } from '../stripe/errors.ts'
import { readSecret } from './secrets.ts'

/** The name of the secret that contains the Stripe key of each mode. */
export const KEY_NAMES: Record<StripeMode, string> = { live: 'stripeKey', test: 'stripeTestKey' }

/** Implements `Accounts.openStripe`. */
export function openStripe(
  platform: PlatformPorts<'config'>,
  { project, actor, signal }: StripeUse,
  key: string,
): StripeAccess {
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

/** Implements `Accounts.openStripeModes`. */
export async function openModes(
  platform: PlatformPorts<'config' | 'keyring'>,
  use: StripeUse,
): Promise<StripeAccess[]> {
  const found: StripeAccess[] = []
  for (const name of [KEY_NAMES.live, KEY_NAMES.test]) {
    const key = await readSecret(platform, use.project, 'pay', name)
    if (key !== null) found.push(openStripe(platform, use, key))
  }
  return found
}
