import type { EventRules } from './types.ts'

/** Reads the live worker's variables. Defaults apply in a worker that was deployed with plain wrangler. */
export function eventSettingsOf(env: unknown): Pick<EventRules, 'sampleRate' | 'autoPageviews'> {
  const values = env as Record<string, unknown>
  return {
    sampleRate: Number(values['EVENTS_SAMPLE_RATE'] ?? 1),
    autoPageviews: values['EVENTS_PAGE_VIEWS'] !== 'off',
  }
}
