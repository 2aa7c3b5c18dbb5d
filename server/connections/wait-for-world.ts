import { setTimeout as sleep } from 'node:timers/promises'
import { ProviderError } from '../lib/provider-error.ts'

const POLL_MS = 500
const PATIENCE_MS = 40_000

/** Options of jobs that call the local world, which may be down for several runs of PATIENCE_MS. */
export const WORLD_JOB = {
  policy: 'exclusive',
  retryLimit: 20,
  expireSeconds: 60,
  concurrency: 2,
} as const

/** Runs `work`, retrying while the local world is not up. */
export async function waitForWorld(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      const mayComeUp = error instanceof ProviderError && error.retryable && performance.now() < giveUpAt
      if (!mayComeUp) throw error
      await sleep(POLL_MS, undefined, { signal })
    }
  }
}
