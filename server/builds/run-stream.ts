import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { RunsTable } from '../db/schema.ts'
import type { SseMessage } from '../http/endpoint.ts'
import type { Platform } from '../platform.ts'
import { onRunNews } from './run-control.ts'

import { type RunEvent, RunEventHub } from './run-events.ts'
import { nextAttempt } from './takeover.ts'

// A heartbeat is written every 3 s; after two that did not come the reader is told that something is wrong.
const STALE_SECONDS = 7
const LOOK_MS = 2_000

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
  const events = hubOf(platform.db, platform.listener).follow(
    run.id,
    after,
    AbortSignal.any([signal, ended.signal]),
  )
  const watch = watchLife(platform, run.id)
  let hasAnnounced = false
  let next = events.next()
  try {
    for (;;) {
      const first = await Promise.race([next, ...(hasAnnounced ? [] : [watch.silence])])
      if (first === 'silent') {
        hasAnnounced = true
        yield RESUMING
        continue
      }
      if (first.done === true) return hasAnnounced
      yield messageOf(run.id, first.value)
      next = events.next()
    }
  } finally {
    watch.stop()
    ended.abort()
    await next.catch(() => undefined)
    await events.return?.(undefined)
  }
}

const messageOf = (runId: string, event: RunEvent): SseMessage => ({
  id: `${runId}:${event.seq}`,
  data: event.body,
})

/** Resolves when the run's process has stopped giving signs of life, or said that it is stopping. */
function watchLife(platform: Platform, runId: string): { silence: Promise<'silent'>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<'silent'>()
  const look = async () => {
    if (await isSilent(platform.db, runId)) resolve('silent')
  }
  // A database that is away shows in the stream itself.
  const quietly = () => void look().catch(() => undefined)
  const timer = setInterval(quietly, LOOK_MS).unref()
  const stopNews = onRunNews(platform.listener, runId, (news) => {
    if (news?.kind === 'handed-back') resolve('silent')
  })
  quietly()
  return {
    silence: promise,
    stop: () => {
      clearInterval(timer)
      stopNews()
    },
  }
}

async function isSilent(db: Db, runId: string): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select(
      sql<boolean>`coalesce(heartbeat_at < now() - make_interval(secs => ${STALE_SECONDS}), true)`.as(
        'silent',
      ),
    )
    .where('id', '=', runId)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return row?.silent ?? false
}

const hubs = new WeakMap<Listener, RunEventHub>()

/** One hub per process: news of a run is read once, whoever watches it. */
function hubOf(db: Db, listener: Listener): RunEventHub {
  const kept = hubs.get(listener)
  if (kept !== undefined) return kept
  const hub = new RunEventHub(db, listener)
  hubs.set(listener, hub)
  return hub
}
