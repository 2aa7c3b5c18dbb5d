import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'

/** Notified on every change of a deployment or task; the payload is its id. */
const CHANNEL = 'deployments'

/** Wakes the waiters of this row. */
export const announce = (trx: Trx, id: string) => sql`select pg_notify(${CHANNEL}, ${id})`.execute(trx)

// Changes come by notification; this bounds the wait when one is lost.
const POLL_MS = 1_000

export interface Wait<Row> {
  until: (row: Row) => boolean
  patienceMs: number
  /** Aborted when the caller leaves. */
  gone: AbortSignal
}

/**
 * Waits until the row meets `until` or is gone, `patienceMs` are over or the caller leaves. Returns the row as it is
 * then.
 */
export async function waitForRow<Row>(
  platform: Pick<Ports, 'listener'>,
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
      await sleep(POLL_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    stop()
  }
}
