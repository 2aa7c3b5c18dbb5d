import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import { type Deployment, readDeployment } from '../deployments/store.ts'
import type { PlatformPorts, Ports } from '../platform.ts'

/** The Postgres channel that is notified of every change of a deployment or task. The payload is its id. */
const DEPLOYMENTS_CHANNEL = 'deployments'

/** Notifies waiters when the transaction commits, so that they read the new row. */
export const notifyDeploymentChange = (trx: Trx, id: string) =>
  sql`select pg_notify(${DEPLOYMENTS_CHANNEL}, ${id})`.execute(trx)

// Changes are announced by notification. Polling limits the wait when a notification is lost.
const POLL_MS = 1_000

/** How long a request waits for a deployment. The job of the deployment continues after that time. */
export const DEPLOYMENT_WAIT_MS = 60_000

export interface WaitOptions<Row> {
  until: (row: Row) => boolean
  timeoutMs: number
  /** Aborted when the client disconnects. */
  disconnected: AbortSignal
}

/** Resolves with the row when it meets `until`, is deleted, `timeoutMs` have passed, or the client disconnects. */
export async function waitForRow<Row>(
  platform: Pick<Ports, 'listener'>,
  id: string,
  read: () => Promise<Row | null>,
  wait: WaitOptions<Row>,
): Promise<Row | null> {
  let wake = new AbortController()
  const stop = platform.listener.on(DEPLOYMENTS_CHANNEL, (payload) => {
    if (payload === '' || payload === id) wake.abort()
  })
  try {
    const giveUpAt = performance.now() + wait.timeoutMs
    for (;;) {
      wake = new AbortController()
      const row = await read()
      if (row === null || wait.until(row) || wait.disconnected.aborted || performance.now() > giveUpAt)
        return row
      const signal = AbortSignal.any([wake.signal, wait.disconnected])
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    stop()
  }
}

/** Waits like `waitForRow` until a deployment meets `until`. */
export const waitForDeployment = (
  platform: PlatformPorts<'listener'>,
  { orgId, deploymentId }: { orgId: string; deploymentId: string },
  wait: WaitOptions<Deployment>,
): Promise<Deployment | null> =>
  waitForRow(platform, deploymentId, () => readDeployment(platform.db, orgId, deploymentId), wait)
