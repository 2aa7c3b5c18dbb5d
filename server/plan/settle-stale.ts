import type { PlatformPorts } from '../platform.ts'
import { type Drain, startDrain } from '../relay/drain.ts'
import { PLAN_CHANNEL } from './turn-notifications.ts'
import { settleStaleTurns } from './turn-row.ts'

const IDLE_CHECK_MS = 5_000

/** Marks the turns of a dead process as failed within seconds, so that no client waits for their replies. */
export function drainStaleTurns(platform: PlatformPorts<'listener'>): Drain {
  return startDrain({
    name: 'silent plan turns',
    channel: PLAN_CHANNEL,
    listener: platform.listener,
    log: platform.log,
    idleMs: IDLE_CHECK_MS,
    work: async () => ({ handled: await settleStaleTurns(platform.db) }),
  })
}
