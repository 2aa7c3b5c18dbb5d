import { env, waitUntil } from 'cloudflare:workers'
import { requireLive } from '../kernel/worker/env.ts'
import { logError } from '../kernel/objects/log.ts'
import { manifest } from '../manifest.gen.ts'
import {
  type EventDraft,
  mayCountVisitor,
  isSampled,
  acceptEvent,
  PAGE_VIEW,
  visitorPseudonym,
} from './accept.ts'
import type { EventRules, EventsBinding } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'

interface AnalyticsDataset {
  /** Returns nothing at Cloudflare. In the local emulator of Cloudflare it returns a promise. */
  writeDataPoint(point: { indexes: string[]; blobs: string[]; doubles: number[] }): unknown
}

/** How long settings are cached. A changed setting takes effect within this time. */
const RULES_CACHE_MS = 60_000

let cachedRules: { rules: EventRules; until: number } | null = null

/** Returns the settings and the salt. Cached for a minute, but never past the salt's day. */
async function rulesOf(live: EventsBinding): Promise<EventRules> {
  const now = Date.now()
  if (cachedRules !== null && cachedRules.until > now) return cachedRules.rules
  const rules = await live.eventRules()
  const midnight = Date.parse(rules.day) + DAY_MS
  cachedRules = { rules, until: Math.min(now + RULES_CACHE_MS, midnight) }
  return rules
}

/**
 * Counts events, if possible after the response. `request` is null when the app's own code causes them. Throws only while the capability is
 * off: a failure to count must not break the app.
 */
export function recordEvents(drafts: readonly EventDraft[], request: Request | null): void {
  const live = requireLive('events')
  if (request !== null && !mayCountVisitor(request.headers)) return
  const declared = { events: manifest.events ?? [], paths: manifest.paths ?? [] }
  const events = drafts.map((draft) => acceptEvent(declared, draft)).filter((one) => one !== null)
  if (events.length === 0) return
  const writeEvents = async () => {
    const rules = await rulesOf(live)
    const visitor = request === null ? '' : visitorPseudonym(rules, request)
    if (!isSampled(rules, visitor)) return
    const points = events.filter(({ name }) => name !== PAGE_VIEW || rules.autoPageviews)
    const dataset = env['EVENTS'] as AnalyticsDataset
    await Promise.all(
      points.map(({ name, group, path, value }) =>
        dataset.writeDataPoint({
          indexes: [name],
          blobs: [name, group, visitor, path],
          doubles: [value, 1 / rules.sampleRate],
        }),
      ),
    )
  }
  // Without `waitUntil` the write would be cancelled when the request ends.
  waitUntil(writeEvents().catch((error: unknown) => logError(error, { route: 'events' })))
}
