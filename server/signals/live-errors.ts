import { type LoggedError, readErrorLines } from '../cloudflare/products/telemetry.ts'
import type { Db } from '../db/database.ts'
import { liveName } from '../resource-names.ts'
import type { ProjectRef } from '../resource-ports.ts'
import type { PlatformPorts } from '../platform.ts'
import { lastDay, servingWorker } from './account-counts.ts'
import { ReadCache } from './read-cache.ts'

// Errors are cached long enough to serve several open pages with one read, and briefly enough for a person who is testing a fix.
const CACHE_MS = 5_000
const CACHED_PROJECTS_MAX = 500
const READ_TIMEOUT_MS = 10_000

const GROUPS_MAX = 100
const MESSAGE_MAX = 1_000
const STACK_MAX = 8_000
const ROUTE_MAX = 300

const errorCaches = new WeakMap<Db, ReadCache<LoggedError[]>>()

/**
 * Returns the errors that the two workers of a live app have logged: the worker that serves the app and the worker that stores its records.
 * Leaves out errors of the preview.
 */
export async function readLiveErrors(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
): Promise<LoggedError[]> {
  const connection = await platform.accounts.requireCloud(project.org_id, { project })
  let recent = errorCaches.get(platform.db)
  if (recent === undefined) {
    recent = new ReadCache({ keptMs: CACHE_MS, failedMs: CACHE_MS, max: CACHED_PROJECTS_MAX })
    errorCaches.set(platform.db, recent)
  }
  const key = `${project.org_id} ${connection.id} ${project.id} ${project.slug}`
  return await recent.read(key, platform.clock.now().getTime(), async () => {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS)
    const cloud = await platform.accounts.openCloud({
      orgId: project.org_id,
      project,
      actor: 'slipway',
      signal,
    })
    const workers = [servingWorker(project), liveName(project)]
    const lines = await Promise.all(workers.map((name) => readErrorLines(cloud, name, lastDay(platform))))
    return lines.flat().filter(({ tier }) => tier !== 'preview')
  })
}

export interface ErrorGroup {
  message: string
  stack: string | null
  route: string | null
  count: number
  lastAt: string
  /** The commit of the release that logged the latest error; null in a worker that has no release. */
  release: string | null
}

/**
 * Groups errors with the same message and route. A group has the stack of its latest error. The texts come
 * from generated code, so they are cut to a maximum length.
 */
export function groupErrors(lines: LoggedError[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup & { at: number }>()
  for (const line of lines) {
    const message = line.message.slice(0, MESSAGE_MAX)
    const route = line.route?.slice(0, ROUTE_MAX) ?? null
    const key = JSON.stringify([message, route])
    const known = groups.get(key)
    const at = line.at.getTime()
    const isLatest = known === undefined || at > known.at
    groups.set(key, {
      message,
      route,
      stack: isLatest ? (line.stack?.slice(0, STACK_MAX) ?? null) : known.stack,
      count: (known?.count ?? 0) + 1,
      lastAt: isLatest ? line.at.toISOString() : known.lastAt,
      release: isLatest ? line.release : known.release,
      at: isLatest ? at : known.at,
    })
  }
  return [...groups.values()]
    .sort((a, b) => b.at - a.at)
    .slice(0, GROUPS_MAX)
    .map(({ at: _at, ...group }) => group)
}
