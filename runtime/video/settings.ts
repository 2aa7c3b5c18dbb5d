import type { JsonText } from '../kernel/json-text.ts'
import { readVariable } from '../kernel/variable.ts'

export interface VideoSettings {
  /** How many minutes of new videos production and preview together may use in a month. */
  monthly: number
  maxSeconds: number
  /** Whether videos are signed, so that they play only with a link of the app. */
  signed: boolean
  /** Stored with each video, to distinguish the projects of one cloud account. */
  project: string
}

interface VideoEnv {
  VIDEO?: JsonText<Partial<VideoSettings>>
}

/**
 * Reads the variables that the service sets when it deploys the app. Without them, as after a deployment with
 * plain wrangler, the defaults apply.
 */
export function videoSettingsOf(env: unknown): VideoSettings {
  const given = readVariable((env as VideoEnv).VIDEO, {})
  return { monthly: 100, maxSeconds: 600, signed: true, project: '', ...given }
}
