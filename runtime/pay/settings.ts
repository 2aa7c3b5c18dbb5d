import type { Tier } from '../kernel/objects/objects.ts'
import { textVariable } from '../kernel/variable.ts'
import type { PayMode } from './types.ts'

export interface PayKey {
  mode: PayMode
  key: string
}

export interface PaySettings {
  /**
   * Marks what belongs to this project in the metadata at Stripe, because other projects may use the same
   * account.
   */
  project: string
  successPath: string
  cancelPath: string
  portal: boolean
  trialDays: number
  keyIn(mode: PayMode): string | null
  secrets: { mode: PayMode; secret: string }[]
}

/**
 * Reads the operator's settings from the variables and secrets of the live worker. An app that was deployed
 * with plain wrangler instead of by Slipway has none and gets the defaults.
 */
export function paySettingsOf(env: unknown): PaySettings {
  const textOf = (name: string) => textVariable(env, name)
  const keys = { live: textOf('STRIPE_KEY'), test: textOf('STRIPE_TEST_KEY') }
  const secrets = { live: textOf('STRIPE_WEBHOOK_SECRET'), test: textOf('STRIPE_TEST_WEBHOOK_SECRET') }
  return {
    project: textOf('PAY_PROJECT') ?? '',
    successPath: textOf('PAY_SUCCESS_PATH') ?? '/',
    cancelPath: textOf('PAY_CANCEL_PATH') ?? '/',
    portal: textOf('PAY_PORTAL') !== 'false',
    trialDays: Number(textOf('PAY_TRIAL_DAYS') ?? 0),
    keyIn: (mode) => keys[mode],
    secrets: (['live', 'test'] as const).flatMap((mode) => {
      const secret = secrets[mode]
      return secret === null ? [] : [{ mode, secret }]
    }),
  }
}

/**
 * Returns the Stripe key of production or of the preview; null when none is stored. Without a live key,
 * production sells in test mode.
 */
export function payKeyOf({ keyIn }: PaySettings, tier: Tier): PayKey | null {
  const [live, test] = [tier === 'production' ? keyIn('live') : null, keyIn('test')]
  if (live !== null) return { mode: 'live', key: live }
  return test === null ? null : { mode: 'test', key: test }
}

/**
 * Returns whether test payments grant access. In the preview they always do, in production only until a live key is set: from then on,
 * anyone could get free access with a test card.
 */
export const countsTest = ({ keyIn }: PaySettings, tier: Tier): boolean =>
  tier === 'preview' || keyIn('live') === null
