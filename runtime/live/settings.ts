export interface LiveSettings {
  maxPeers: number
  historyLimit: number
  allowAnonymous: boolean
}

/** Reads the live worker's variables. Defaults apply in a worker that was deployed with plain wrangler. */
export function liveSettingsOf(env: unknown): LiveSettings {
  const values = env as Record<string, unknown>
  return {
    maxPeers: Number(values['LIVE_MAX_PEERS'] ?? 50),
    historyLimit: Number(values['LIVE_HISTORY_LIMIT'] ?? 100),
    allowAnonymous: values['LIVE_ALLOW_ANONYMOUS'] === 'on',
  }
}
