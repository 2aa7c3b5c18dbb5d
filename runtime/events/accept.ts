import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'
import { networkOf } from '../kernel/access/request-limiter.ts'
import { matchPath } from '../web/match-path.ts'
import { GROUP_CHARS_MAX } from './limits.ts'
import type { EventRules, EventSpec } from './types.ts'

/** The runtime counts this event for every page. Its group is the page's path. */
export const PAGE_VIEW = 'pageview'

/** Limits each value, so that sums stay exact and one forged number cannot hide all others. */
const EVENT_VALUE_MAX = 1_000_000_000

export interface DeclaredEvents {
  events: readonly EventSpec[]
  paths: readonly string[]
}

/** An event as a page or the app's code sends it, not validated. */
export interface EventDraft {
  name?: unknown
  group?: unknown
  value?: unknown
  path?: unknown
}

/** A validated event. None of its fields identifies a person. */
export interface CountedEvent {
  name: string
  group: string
  /**
   * The path of the page as `app.json` declares it (`/plants/:id`), so without ids. Empty for an event of
   * server code.
   */
  path: string
  value: number
}

/** Matches email and network addresses, ids of any kind, and long numbers such as phone numbers. */
const PERSONAL_PATTERNS = [
  /@/,
  /(\d{1,3}\.){3}\d/,
  /([0-9a-f]{0,4}:){3}/i,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /^\d{5,}$/,
  /(\d[\s()./-]*){9}/,
  /(?=[a-z_-]*\d)[a-z0-9_-]{16}/i,
]

/** Validates an event. Returns null when it is not declared or has an invalid value, and for a view of a page that does not exist. */
export function acceptEvent({ events, paths }: DeclaredEvents, draft: EventDraft): CountedEvent | null {
  const path = typeof draft.path === 'string' ? (matchPath(paths, draft.path)?.path ?? '') : ''
  if (draft.name === PAGE_VIEW) return path === '' ? null : { name: PAGE_VIEW, group: path, path, value: 0 }
  const spec = events.find(({ name }) => name === draft.name)
  const value = draft.value ?? 0
  if (spec === undefined || typeof value !== 'number' || !(Math.abs(value) <= EVENT_VALUE_MAX)) return null
  return { name: spec.name, group: groupFor(spec, draft.group), path, value }
}

/** Returns the group of an event; empty for a group that is not allowed, so that the event still counts. */
function groupFor({ groups }: EventSpec, group: unknown): string {
  if (typeof group !== 'string' || group.length > GROUP_CHARS_MAX) return ''
  const isAllowed =
    groups === undefined ? !PERSONAL_PATTERNS.some((one) => one.test(group)) : groups.includes(group)
  return isAllowed ? group : ''
}

const BOT_AGENT =
  /bot|crawl|spider|slurp|headless|lighthouse|preview|monitor|scrap|curl|wget|python|java\/|go-http|axios/i

/** Returns false for bots, and for people who ask not to be tracked (Global Privacy Control). */
export function mayCountVisitor(headers: Headers): boolean {
  const agent = headers.get('user-agent') ?? ''
  return headers.get('sec-gpc') !== '1' && agent !== '' && !BOT_AGENT.test(agent)
}

/** Returns a pseudonym of a visitor, valid for one day and this app. The address is not stored. */
export function visitorPseudonym({ salt }: Pick<EventRules, 'salt'>, { headers, url }: Request): string {
  const address = networkOf(headers.get('cf-connecting-ip') ?? '')
  const parts = [address, headers.get('user-agent') ?? '', new URL(url).host]
  return createHmac('sha256', Buffer.from(salt, 'base64')).update(parts.join('\n')).digest('hex').slice(0, 20)
}

/** Returns whether to store an event: for a day, all events of a visitor or none. Without a visitor, the result is random. */
export function isSampled({ sampleRate }: Pick<EventRules, 'sampleRate'>, visitor: string): boolean {
  const share = visitor === '' ? Math.random() : Number.parseInt(visitor.slice(0, 8), 16) / 2 ** 32
  return share < sampleRate
}
