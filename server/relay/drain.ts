import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Listener } from '../db/listener.ts'

export interface DrainOptions {
  /** Names the loop in the log. */
  name: string
  /** The NOTIFY channel that says there is something new. */
  channel: string
  listener: Listener
  log: Logger
  /** Longest sleep: what nobody announced (retries that came due, claims of the dead) is found after it. */
  idleMs?: number
  /** One turn. The signal is aborted when the drain stops; a turn that throws is repeated after a pause. */
  work(signal: AbortSignal): Promise<{ handled: number }>
}

export interface Drain {
  /** Ends the current sleep, for news that come from inside this process. */
  wake(): void
  /** Aborts the signal and waits for the turn that is under way. */
  stop(): Promise<void>
}

const BACKOFF_MS_MAX = 5000

/**
 * Works on rows that are their own work list: turn after turn while there is something to handle, then asleep
 * until it is told of news. Several processes may drain the same rows when `work` claims what it takes.
 */
export function startDrain(options: DrainOptions): Drain {
  const { name, channel, listener, log, idleMs = 1000, work } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let alarm = new AbortController()

  const wake = () => alarm.abort()
  // Whatever arrives during a turn belongs to the next one: a new alarm is set before each turn, not after it.
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
