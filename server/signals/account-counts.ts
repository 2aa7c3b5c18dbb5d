import { readHours, type TimeWindow } from '../cloudflare/products/graphql.ts'
import { countErrorLines } from '../cloudflare/products/telemetry.ts'
import type { Db } from '../db/database.ts'
import { appName } from '../resource-names.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { ReadCache } from './read-cache.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

export const WINDOW_HOURS = 24
// Counts are cached for a minute for all pages of an organization, because the provider allows 320 of these
// queries in five minutes.
const CACHE_MS = 60_000
const FAILURE_CACHE_MS = 10_000
const CACHED_ACCOUNTS_MAX = 500
const QUERY_TIMEOUT_MS = 10_000

/** The counts of one hour. A request whose app code threw is counted in both fields, because the runtime still responded to it. */
export interface Hour {
  requests: number
  errors: number
}

/** The counts of the last 24 hours. */
export interface AccountCounts {
  window: TimeWindow
  scripts: ReadonlySet<string>
  /** The counts of each worker by the start of the hour in epoch milliseconds. Hours without requests and errors are left out. */
  byScript: ReadonlyMap<string, ReadonlyMap<number, Hour>>
}

const countCaches = new WeakMap<Db, ReadCache<AccountCounts>>()

export function lastDay(platform: Pick<Core, 'clock'>): TimeWindow {
  const to = platform.clock.now()
  return { from: new Date(to.getTime() - WINDOW_HOURS * HOUR_MS), to }
}

/** Returns the name of the worker that serves a live project. The preview's worker is left out, because only members use it. */
export const servingWorker = (project: { slug: string }): string => appName(project, 'production')

/** The account to read. Without `accountId` it is the connected one. */
interface CountedAccount {
  orgId: string
  accountId: string | undefined
}

/**
 * Returns the counts of these workers, at most a minute old. Throws when the cloud account or its connection
 * refuses the query.
 */
export async function readCounts(
  platform: PlatformPorts<'accounts'>,
  account: CountedAccount,
  scripts: string[],
): Promise<AccountCounts> {
  const { orgId, accountId } = account
  const connection = await platform.accounts.requireCloud(orgId, { accountId })
  let recent = countCaches.get(platform.db)
  if (recent === undefined) {
    recent = new ReadCache({ keptMs: CACHE_MS, failedMs: FAILURE_CACHE_MS, max: CACHED_ACCOUNTS_MAX })
    countCaches.set(platform.db, recent)
  }
  // The connection and the account are in the key, so that a new connection does not get cached counts of the previous one.
  const key = `${orgId} ${connection.id} ${connection.account_id} ${scripts.length === 1 ? scripts[0] : ''}`
  return await recent.read(
    key,
    platform.clock.now().getTime(),
    () => loadCounts(platform, account, scripts),
    // A cached result is not used when it lacks a project that has gone live since.
    (counts) => scripts.every((script) => counts.scripts.has(script)),
  )
}

async function loadCounts(
  platform: PlatformPorts<'accounts'>,
  account: CountedAccount,
  scripts: string[],
): Promise<AccountCounts> {
  const window = lastDay(platform)
  const cloud = await platform.accounts.openCloud({
    ...account,
    actor: 'slipway',
    signal: AbortSignal.timeout(QUERY_TIMEOUT_MS),
  })
  const [hours, lines] = await Promise.all([
    readHours(cloud, scripts, window),
    countErrorLines(cloud, window),
  ])
  const wanted = new Set(scripts)
  const byScript = new Map<string, Map<number, Hour>>()
  const addToHour = (script: string, at: Date, change: Hour) => {
    if (!wanted.has(script)) return
    const own = byScript.get(script) ?? new Map<number, Hour>()
    byScript.set(script, own)
    const hour = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS
    const { requests, errors } = own.get(hour) ?? { requests: 0, errors: 0 }
    own.set(hour, { requests: requests + change.requests, errors: errors + change.errors })
  }
  for (const { script, at, requests, errors } of hours) addToHour(script, at, { requests, errors })
  // When app code throws, the runtime still sends a response, so the provider counts a success. These errors
  // are counted from the log lines.
  for (const { script, at, count } of lines) addToHour(script, at, { requests: 0, errors: count })
  return { window, scripts: wanted, byScript }
}

/** Returns the start of every hour in the window. The first and the last hour are only partly inside it. */
export function hoursOf({ from, to }: TimeWindow): number[] {
  const first = Math.floor(from.getTime() / HOUR_MS) * HOUR_MS
  const count = Math.floor(to.getTime() / HOUR_MS) - first / HOUR_MS + 1
  return Array.from({ length: count }, (_, index) => first + index * HOUR_MS)
}

export function sumHours(hours: ReadonlyMap<number, Hour> | undefined): Hour {
  let [requests, errors] = [0, 0]
  for (const hour of hours?.values() ?? []) {
    requests += hour.requests
    errors += hour.errors
  }
  return { requests, errors }
}
