import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import type { StateTone } from '../../ui/page/state-dot.tsx'

export type DomainState = DomainStatus['state']

export type NextAction = 'connect' | 'set' | 'check' | 'ship' | 'attach' | 'open'

interface DomainStep {
  tone: StateTone
  next: NextAction
  /** How many of the five steps are done. Null when that is unknown. */
  done: number | null
}

export const DOMAIN_STEPS: Record<DomainState, DomainStep> = {
  no_connection: { tone: 'ask', next: 'connect', done: null },
  needs_reconnect: { tone: 'bad', next: 'connect', done: null },
  unreachable: { tone: 'bad', next: 'check', done: null },
  no_domain: { tone: 'quiet', next: 'set', done: 0 },
  pending_nameservers: { tone: 'ask', next: 'check', done: 1 },
  pending_ship: { tone: 'ask', next: 'ship', done: 2 },
  pending_attach: { tone: 'ask', next: 'attach', done: 3 },
  provisioning: { tone: 'busy', next: 'check', done: 4 },
  active: { tone: 'good', next: 'open', done: 5 },
}

const CHECK_EVERY_MS = 30_000

/** Returns the seconds until another check is allowed, 0 when it is allowed now. */
export function secondsUntilCheck(lastAskedMs: number | null, nowMs: number): number {
  if (lastAskedMs === null) return 0
  const passedMs = Math.max(0, nowMs - lastAskedMs)
  return Math.max(0, Math.ceil((CHECK_EVERY_MS - passedMs) / 1000))
}

/** Returns the host name of a pasted URL in lower case, without scheme and path. Null when it is empty. */
export function readHostname(typed: string): string | null {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
  return name === '' ? null : name
}
