import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../platform.ts'
import { CHANNEL, type Deployment, readDeployment } from '../releases/store.ts'

// News comes by notification; this is for the one that got lost.
const LOOK_AGAIN_MS = 1_000

interface Wait<Row> {
  until: (row: Row) => boolean
  patienceMs: number
  gone: AbortSignal
}

/**
 * Waits until a row is as wished, is gone, patience ends or the asker leaves; answers it as it is then. Its changes
 * are announced on the channel of deployments, by its id.
 */
export async function waitForRow<Row>(
  platform: Platform,
  id: string,
  read: () => Promise<Row | null>,
  wait: Wait<Row>,
): Promise<Row | null> {
  let wake = new AbortController()
  const stop = platform.listener.on(CHANNEL, (payload) => {
    if (payload === '' || payload === id) wake.abort()
  })
  try {
    const giveUpAt = performance.now() + wait.patienceMs
    for (;;) {
      wake = new AbortController()
      const row = await read()
      if (row === null || wait.until(row) || wait.gone.aborted || performance.now() > giveUpAt) return row
      const signal = AbortSignal.any([wake.signal, wait.gone])
      await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    stop()
  }
}

/** The same for a deployment. */
export const waitForDeployment = (
  platform: Platform,
  { orgId, id }: { orgId: string; id: string },
  wait: Wait<Deployment>,
): Promise<Deployment | null> => waitForRow(platform, id, () => readDeployment(platform.db, orgId, id), wait)
