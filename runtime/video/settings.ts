export interface VideoSettings {
  /** Minutes of new videos a month, of both tiers. */
  monthly: number
  maxSeconds: number
  /** A signed video plays only with a link of the app. */
  signed: boolean
  /** Stored with each video, so that it can be told apart in the account. */
  project: string
}

/** Reads the live worker's variables. A worker that was deployed by hand gets the defaults. */
export function videoSettingsOf(env: unknown): VideoSettings {
  const text = (env as Record<string, unknown>)['VIDEO']
  const given = (typeof text === 'string' ? JSON.parse(text) : {}) as Partial<VideoSettings>
  return { monthly: 100, maxSeconds: 600, signed: true, project: '', ...given }
}
