export interface VideoSettings {
  /** Minutes of new videos. */
  monthly: number
  maxSeconds: number
  /** Whether a video plays only with a link of the app. */
  signed: boolean
  /** Which project a video is of, for who looks into the account. */
  project: string
}

/** Reads the settings from the live worker's variables; the defaults in a worker that was deployed by hand. */
export function videoSettingsOf(env: unknown): VideoSettings {
  const text = (env as Record<string, unknown>)['VIDEO']
  const given = (typeof text === 'string' ? JSON.parse(text) : {}) as Partial<VideoSettings>
  return { monthly: 100, maxSeconds: 600, signed: true, project: '', ...given }
}
