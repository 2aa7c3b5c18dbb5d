import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Listener } from '../db/listener.ts'
import { backoffMs } from '../lib/backoff.ts'

export interface DrainOptions {
  name: string
  /** The Postgres channel on which new rows are announced. */
  channel: string
  listener: Listener
  log: Logger
  /**
   * The longest sleep. After it the drain also finds rows without a notification: due retries, and rows that dead processes have claimed.
   */
  idleMs?: number
  /** Runs one round. The signal is aborted when the drain stops. A round that throws is repeated after a pause. */
  work(signal: AbortSignal): Promise<{ handled: number }>
}

export interface Drain {
  /** Ends the current sleep. Call it for rows that were stored by this process. */
  wake(): void
  /** Aborts the signal and waits for the running round. */
  stop(): Promise<void>
}

// Without jitter: a process runs one round of a drain at a time, so only a few processes retry at the same moment.
const FAILURE_BACKOFF = { firstMs: 200, maxMs: 5000, jitter: 0 }

/**
 * Calls `work` again and again while it finds rows to handle, then sleeps until a notification, a call of `wake` or the
 * end of `idleMs`. Several processes may run the same drain when `work` claims its rows.
 */
export function startDrain(options: DrainOptions): Drain {
  const { name, channel, listener, log, idleMs = 1000, work } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let alarm = new AbortController()

  const wakeUp = () => alarm.abort()
  // A notification during a round must start another round, so the new `alarm` is made before each round and not after it.
  const runRound = async (): Promise<boolean> => {
    alarm = new AbortController()
    return (await work(signal)).handled > 0
  }
  const pause = (ms: number, ...until: AbortSignal[]) =>
    sleep(ms, undefined, { signal: AbortSignal.any([signal, ...until]) }).catch(() => {})

  const runRounds = async () => {
    let failures = 0
    while (!signal.aborted) {
      try {
        const wasBusy = await runRound()
        failures = 0
        if (!wasBusy) await pause(idleMs, alarm.signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        log.error({ err: error, drain: name, failures }, 'drain failed')
        await pause(backoffMs(failures - 1, FAILURE_BACKOFF))
      }
    }
  }

  const unlisten = listener.on(channel, wakeUp)
  const running = runRounds()
  return {
    wake: wakeUp,
    async stop() {
      unlisten()
      stopping.abort()
      await running
    },
  }
}
