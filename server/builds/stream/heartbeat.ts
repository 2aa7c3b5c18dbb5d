import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Listener } from '../../db/listener.ts'
import type { Platform } from '../../platform.ts'
import { onRunControl } from '../run/control.ts'

// A heartbeat is written every 3 s; after two that did not come a reader is told that something is wrong.
const STALE_SECONDS = 7
const LOOK_MS = 2_000

/** What this process knows about one watched run; shared by all its readers, so that a thousand ask once. */
interface Life {
  isSilent: boolean
  readers: Set<() => void>
  end: () => void
}

const watched = new WeakMap<Listener, Map<string, Life>>()

/** Calls when the run's process gives no sign of life any more, or says that it is stopping. */
export function onStale(platform: Platform, runId: string, tell: () => void): () => void {
  const lives = watched.get(platform.listener) ?? new Map<string, Life>()
  watched.set(platform.listener, lives)
  const life = lives.get(runId) ?? startWatching(platform, runId)
  lives.set(runId, life)
  life.readers.add(tell)
  if (life.isSilent) queueMicrotask(tell)
  return () => {
    life.readers.delete(tell)
    if (life.readers.size > 0 || lives.get(runId) !== life) return
    lives.delete(runId)
    life.end()
  }
}

function startWatching(platform: Platform, runId: string): Life {
  const note = (isSilent: boolean) => {
    life.isSilent = isSilent
    if (isSilent) for (const tell of life.readers) tell()
  }
  // A database that is away shows in the streams themselves.
  const look = () => void isSilent(platform.db, runId).then(note, () => undefined)
  const timer = setInterval(look, LOOK_MS).unref()
  const stopNews = onRunControl(platform.listener, runId, (news) => {
    if (news?.kind === 'handed-back') note(true)
  })
  const life: Life = {
    isSilent: false,
    readers: new Set(),
    end: () => {
      clearInterval(timer)
      stopNews()
    },
  }
  look()
  return life
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
