import type { RenderSettings } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { readVariable } from '../kernel/variable.ts'

interface RenderEnv {
  RENDER?: JsonText<Partial<RenderSettings>>
}

/**
 * Reads the variables that the service sets when it deploys the app. Without them, as after a deployment with
 * plain wrangler, the defaults apply.
 */
export function renderSettingsOf(env: unknown): RenderSettings {
  const given = readVariable((env as RenderEnv).RENDER, {})
  return { monthly: 500, timeoutMs: 15_000, allowedHosts: [], maxBytes: 10 * 1024 * 1024, ...given }
}
