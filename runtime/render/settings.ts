import type { RenderSettings } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'

interface RenderEnv {
  RENDER?: JsonText<Partial<RenderSettings>>
}

/** Reads the live worker's variables. Defaults apply in a worker that was deployed with plain wrangler. */
export function renderSettingsOf(env: unknown): RenderSettings {
  const { RENDER: text } = env as RenderEnv
  const given = typeof text === 'string' ? JSON.parse(text) : {}
  return { monthly: 500, timeoutMs: 15_000, allowedHosts: [], maxBytes: 10 * 1024 * 1024, ...given }
}
