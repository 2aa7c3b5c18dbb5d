import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import type { PlatformPorts } from '../../platform.ts'
import { onRunControl } from '../run-control.ts'

// A heartbeat is written every 3 s. When two in a row are missing, the run is stale.
const STALE_SECONDS = 7
const POLL_MS = 2_000

/** `alive` is also the state of a run that waits or has ended: only a running one has a heartbeat. */
type RunHealth = 'alive' | 'stale' | 'deleted'
type HealthReader = (health: 'stale' | 'deleted') => void

/** The watch of one run in this process, shared by all its readers, so that a thousand readers cost one query. */
interface HeartbeatWatch {
  health: RunHealth
  readers: Set<HealthReader>
  end: () => void
}

const watchesByListener = new WeakMap<Listener, Map<string, HeartbeatWatch>>()

/**
 * Calls `notify` when the run's heartbeat is stale or its process is stopping, and when the run was deleted with its project. Returns a
 * function that stops watching.
 */
export function onUnhealthy(
  platform: PlatformPorts<'listener'>,
  runId: string,
  notify: HealthReader,
): () => void {
  const watches = watchesByListener.get(platform.listener) ?? new Map<string, HeartbeatWatch>()
  watchesByListener.set(platform.listener, watches)
  const watch = watches.get(runId) ?? startWatch(platform, runId)
  watches.set(runId, watch)
  watch.readers.add(notify)
  const { health } = watch
  if (health !== 'alive') queueMicrotask(() => notify(health))
  return () => {
    watch.readers.delete(notify)
    if (watch.readers.size > 0 || watches.get(runId) !== watch) return
    watches.delete(runId)
    watch.end()
  }
}

function startWatch(platform: PlatformPorts<'listener'>, runId: string): HeartbeatWatch {
  const update = (health: RunHealth) => {
    watch.health = health
    if (health !== 'alive') for (const notify of watch.readers) notify(health)
  }
  // Ignore a failed poll: when the database is unavailable, the streams get the error from their own reads.
  const poll = () => void readHealth(platform.db, runId).then(update, () => undefined)
  const timer = setInterval(poll, POLL_MS).unref()
  const stopListening = onRunControl(platform.listener, runId, (message) => {
    if (message?.kind === 'released') update('stale')
  })
  const watch: HeartbeatWatch = {
    health: 'alive',
    readers: new Set(),
    end: () => {
      clearInterval(timer)
      stopListening()
    },
  }
  poll()
  return watch
}

async function readHealth(db: Db, runId: string): Promise<RunHealth> {
  const row = await db
    .selectFrom('runs')
    .select(
      sql<boolean>`status = 'running'
        and coalesce(heartbeat_at < now() - make_interval(secs => ${STALE_SECONDS}), true)`.as('stale'),
    )
    .where('id', '=', runId)
    .executeTakeFirst()
  if (row === undefined) return 'deleted'
  return row.stale ? 'stale' : 'alive'
}
