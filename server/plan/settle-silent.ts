import type { Platform } from '../platform.ts'
import { type Drain, startDrain } from '../relay/drain.ts'
import { PLAN_CHANNEL } from './turn-news.ts'
import { settleSilentTurns } from './turn-row.ts'

const LOOK_MS = 5_000

/** Closes the replies of processes that died, within seconds: nobody waits for an answer that will not come. */
export function drainSilentTurns(platform: Platform): Drain {
  return startDrain({
    name: 'silent plan turns',
    channel: PLAN_CHANNEL,
    listener: platform.listener,
    log: platform.log,
    idleMs: LOOK_MS,
    work: async () => ({ handled: await settleSilentTurns(platform.db) }),
  })
}
