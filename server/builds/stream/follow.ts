import type { Db } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { SseMessage } from '../../http/endpoint.ts'
import type { PlatformPorts } from '../../platform.ts'
import { RunEventHub } from './hub.ts'
import { onUnhealthy } from './heartbeat.ts'
import type { StoredFrames } from './stored-frames.ts'
import { nextAttempt } from '../runs.ts'

const RESUMING_MESSAGE: SseMessage = { data: JSON.stringify({ type: 'resuming' }) }

/**
 * Yields the frames of a run after a number, then those of every attempt that continues the run: `resuming` while a
 * takeover is pending, then the new run's frames from 1. Ends with the `done` or `error` of the last run and returns
 * the id of this run.
 */
export async function* streamRun(
  platform: PlatformPorts<'listener'>,
  run: RunRow,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<StoredFrames | SseMessage, string> {
  let current = run
  let seen = after
  for (;;) {
    const follower = hubOf(platform.db, platform.listener).follow(current.id, seen)
    const wake = () => follower.wake()
    let isStale = false
    const stopWatching = onUnhealthy(platform, current.id, (health) => {
      // No notification says that the run was deleted, so the follower looks for itself and then ends.
      if (health === 'deleted') return follower.fallBehind()
      isStale = true
      wake()
    })
    signal.addEventListener('abort', wake)
    let hasAnnounced = false
    try {
      while (!signal.aborted) {
        if (isStale && !hasAnnounced) {
          hasAnnounced = true
          yield RESUMING_MESSAGE
        }
        const frames = await follower.next()
        if (frames === 'ended') break
        if (frames !== null) yield frames
      }
    } finally {
      signal.removeEventListener('abort', wake)
      stopWatching()
      follower.close()
    }
    const next = signal.aborted ? null : await nextAttempt(platform, current)
    if (next === null) return current.id
    if (!hasAnnounced) yield RESUMING_MESSAGE
    current = next
    seen = 0
  }
}

const eventHubs = new WeakMap<Listener, RunEventHub>()

/** Returns the hub of this process, which reads new frames of a run once for all its readers. */
function hubOf(db: Db, listener: Listener): RunEventHub {
  const kept = eventHubs.get(listener)
  if (kept !== undefined) return kept
  const hub = new RunEventHub(db, listener)
  eventHubs.set(listener, hub)
  return hub
}
