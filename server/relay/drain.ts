import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Listener } from '../db/listener.ts'

export interface DrainOptions {
  name: string
  /** A notification on this channel announces new rows. */
  channel: string
  listener: Listener
  log: Logger
  /** Longest sleep, after which unannounced rows are found (due retries, claims of dead processes). */
  idleMs?: number
  /** One round. The signal is aborted when the drain stops; a round that throws is repeated after a pause. */
  work(signal: AbortSignal): Promise<{ handled: number }>
}

export interface Drain {
  /** Ends the current sleep, for rows announced inside this process. */
  wake(): void
  /** Aborts the signal and waits for the running round. */
  stop(): Promise<void>
}

const BACKOFF_MS_MAX = 5000

/**
 * Processes rows that are their own work list: round after round while there is something to handle, then
 * sleeps until it is notified. Several processes may drain the same rows when `work` claims what it takes.
 */
export function startDrain(options: DrainOptions): Drain {
  const { name, channel, listener, log, idleMs = 1000, work } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let alarm = new AbortController()

  const wake = () => alarm.abort()
  // Notifications during a round belong to the next one, so the new promise is created before each round, not
  // after it.
  const turn = async (): Promise<boolean> => {
    alarm = new AbortController()
    return (await work(signal)).handled > 0
  }
  const pause = (ms: number, ...until: AbortSignal[]) =>
    sleep(ms, undefined, { signal: AbortSignal.any([signal, ...until]) }).catch(() => {})

  const run = async () => {
    let failures = 0
    while (!signal.aborted) {
      try {
        const wasBusy = await turn()
        failures = 0
        if (!wasBusy) await pause(idleMs, alarm.signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        log.error({ err: error, drain: name, failures }, 'drain failed')
        await pause(Math.min(BACKOFF_MS_MAX, 100 * 2 ** failures))
      }
    }
  }

  const unlisten = listener.on(channel, wake)
  const running = run()
  return {
    wake,
    async stop() {
      unlisten()
      stopping.abort()
      await running
    },
  }
}
