import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

// When a newer workerd stores alarms in an unknown way, the app is started at this interval, so that no alarm is missed.
const UNKNOWN_SHAPE_WAKE_MS = 5 * 60_000

/**
 * Returns the epoch milliseconds of the earliest Durable Object alarm in the state folder of a process; null
 * when there is none.
 */
export function readNextAlarm(stateDir: string): number | null {
  const objectsDir = join(stateDir, 'do')
  if (!existsSync(objectsDir)) return null
  const times = readdirSync(objectsDir)
    .map((name) => join(objectsDir, name, 'metadata.sqlite'))
    .filter((path) => existsSync(path))
    .map(readEarliestAlarm)
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

function readEarliestAlarm(path: string): number | null {
  let db: DatabaseSync | null = null
  try {
    db = new DatabaseSync(path, { readOnly: true })
    const known = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = '_cf_ALARM'`).get()
    if (known === undefined) return null
    // Divided in SQL, because nanoseconds exceed a JavaScript number.
    const row = db.prepare('SELECT min(scheduled_time / 1000000) AS at FROM _cf_ALARM').get()
    return typeof row?.['at'] === 'number' ? row['at'] : null
  } catch {
    // The file may have been deleted together with its Durable Object class since it was found.
    return existsSync(path) ? Date.now() + UNKNOWN_SHAPE_WAKE_MS : null
  } finally {
    db?.close()
  }
}
