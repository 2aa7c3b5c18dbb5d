import type { Db } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import type { SseMessage } from '../http/endpoint.ts'
import type { Platform } from '../platform.ts'
import { type RunEvent, RunEventHub } from './run-events.ts'
import { onSilence } from './run-life.ts'
import { nextAttempt } from './takeover.ts'

const RESUMING: SseMessage = { data: JSON.stringify({ type: 'resuming' }) }

/**
 * The frames of a run after a number, and of every run that goes on from it: `resuming` while a takeover is pending,
 * then the new run's frames from 1. Ends with the last one's `done` or `error`; returns the id of that run.
 */
export async function* streamRun(
  platform: Platform,
  run: RunsTable,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SseMessage, string> {
  let current = run
  let seen = after
  for (;;) {
    const hasAnnounced = yield* followOne(platform, current, seen, signal)
    const next = signal.aborted ? null : await nextAttempt(platform, current)
    if (next === null) return current.id
    if (!hasAnnounced) yield RESUMING
    current = next
    seen = 0
  }
}

/** The frames of one run; says whether a `resuming` was sent because its process gave no sign of life. */
async function* followOne(
  platform: Platform,
  run: RunsTable,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SseMessage, boolean> {
  const ended = new AbortController()
  const hub = hubOf(platform.db, platform.listener)
  const events = hub.follow(run.id, after, AbortSignal.any([signal, ended.signal]))
  let isSilent = false
  let wake = () => {}
  const stopWatching = onSilence(platform, run.id, () => {
    isSilent = true
    wake()
  })
  let hasAnnounced = false
  let next = events.next()
  try {
    for (;;) {
      // A promise of its own for each round: one that lived as long as the stream would keep every round.
      const woken = new Promise<null>((resolve) => (wake = () => resolve(null)))
      const event = isSilent && !hasAnnounced ? null : await Promise.race([next, woken])
      if (event === null) {
        if (hasAnnounced) continue
        hasAnnounced = true
        yield RESUMING
        continue
      }
      if (event.done === true) return hasAnnounced
      yield messageOf(run.id, event.value)
      next = events.next()
    }
  } finally {
    stopWatching()
    ended.abort()
    await next.catch(() => undefined)
    await events.return?.(undefined)
  }
}

const messageOf = (runId: string, event: RunEvent): SseMessage => ({
  id: `${runId}:${event.seq}`,
  data: event.body,
})

const hubs = new WeakMap<Listener, RunEventHub>()

/** One hub per process: news of a run is read once, whoever watches it. */
function hubOf(db: Db, listener: Listener): RunEventHub {
  const kept = hubs.get(listener)
  if (kept !== undefined) return kept
  const hub = new RunEventHub(db, listener)
  hubs.set(listener, hub)
  return hub
}
