import type { RenderSettings } from './types.ts'

/** Reads the live worker's variables. Defaults apply in a worker that was deployed with plain wrangler. */
export function renderSettingsOf(env: unknown): RenderSettings {
  const text = (env as Record<string, unknown>)['RENDER']
  const given = (typeof text === 'string' ? JSON.parse(text) : {}) as Partial<RenderSettings>
  return { monthly: 500, timeoutMs: 15_000, allowedHosts: [], maxBytes: 10 * 1024 * 1024, ...given }
}
