import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../platform.ts'
import { CHANNEL, type Deployment, readDeployment } from './store.ts'

// News comes by notification; this is for the one that got lost.
const LOOK_AGAIN_MS = 1_000

/** Waits until a deployment is as wished, its row is gone, patience ends or the asker leaves; answers it as it is then. */
export async function waitForDeployment(
  platform: Platform,
  deployment: { orgId: string; id: string },
  wait: { until: (deployment: Deployment) => boolean; patienceMs: number; gone: AbortSignal },
): Promise<Deployment | null> {
  const { orgId, id } = deployment
  let wake = new AbortController()
  const stop = platform.listener.on(CHANNEL, (payload) => {
    if (payload === '' || payload === id) wake.abort()
  })
  try {
    const giveUpAt = performance.now() + wait.patienceMs
    for (;;) {
      wake = new AbortController()
      const row = await readDeployment(platform.db, orgId, id)
      if (row === null || wait.until(row) || wait.gone.aborted || performance.now() > giveUpAt) return row
      const signal = AbortSignal.any([wake.signal, wait.gone])
      await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    stop()
  }
}
