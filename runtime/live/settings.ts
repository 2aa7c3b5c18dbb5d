import { fieldsOf } from '../kernel/fields.ts'

export interface LiveSettings {
  maxPeers: number
  historyLimit: number
  allowAnonymous: boolean
}

/**
 * Reads the operator's settings from the variables of the live worker. An app that was deployed with plain
 * wrangler instead of by Slipway has none and gets the defaults.
 */
export function liveSettingsOf(env: unknown): LiveSettings {
  const values = fieldsOf(env)
  return {
    maxPeers: Number(values['LIVE_MAX_PEERS'] ?? 50),
    historyLimit: Number(values['LIVE_HISTORY_LIMIT'] ?? 100),
    allowAnonymous: values['LIVE_ALLOW_ANONYMOUS'] === 'on',
  }
}
