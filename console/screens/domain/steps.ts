import type { DomainStatus } from '@slipway/sdk/client/types.gen.ts'
import type { StateTone } from '../../ui/page/state-dot.tsx'

export type DomainState = DomainStatus['state']

/** The one thing to do next in a state. */
export type NextAction = 'connect' | 'set' | 'check' | 'ship' | 'attach' | 'open'

interface Step {
  tone: StateTone
  next: NextAction
  /** How many of the five steps are behind; null where the way cannot be seen. */
  done: number | null
}

/** How each of the nine states is shown and what to do in it. */
export const STEPS: Record<DomainState, Step> = {
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

/** Seconds until a person may ask for another look; 0 is now. */
export function secondsUntilCheck(lastAskedMs: number | null, nowMs: number): number {
  if (lastAskedMs === null) return 0
  return Math.max(0, Math.ceil((lastAskedMs + CHECK_EVERY_MS - nowMs) / 1000))
}

/** A host name as people paste it: with a scheme, a path or capitals. Null when nothing is left. */
export function readHostname(typed: string): string | null {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
  return name === '' ? null : name
}
