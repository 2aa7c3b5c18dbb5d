import type { EventRules } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

/**
 * Reads the operator's settings from the variables of the live worker. An app that was deployed with plain wrangler instead of by Slipway
 * has no such settings and gets the defaults.
 */
export function eventSettingsOf(env: unknown): Pick<EventRules, 'sampleRate' | 'autoPageviews'> {
  const values = fieldsOf(env)
  return {
    sampleRate: Number(values['EVENTS_SAMPLE_RATE'] ?? 1),
    autoPageviews: values['EVENTS_PAGE_VIEWS'] !== 'off',
  }
}
