import { tidyAssets } from './capabilities/assets/housekeeping.ts'
import { purgeSessions } from './auth/purge-sessions.ts'
import { purgeBuildStarts } from './builds/allowance.ts'
import { foldRunEvents } from './builds/fold-events.ts'
import { purgeSignIns } from './connections/oauth-state.ts'
import { purgeDeviceGrants } from './device/purge-grants.ts'
import { watchDomains } from './domain/watch.ts'
import { purgeEvents } from './events/purge-events.ts'
import { purgeIdempotency } from './http/purge-idempotency.ts'
import { purgeRateLimits } from './http/purge-limits.ts'
import { forgetIdeas } from './ingest/forget-ideas.ts'
import { purgeKeys } from './keys/purge-keys.ts'
import { purgeMails } from './mail/purge-mails.ts'
import { settleMoves } from './relocation/leave-hosting.ts'
import type { ScheduledTask } from './schedule/task.ts'
import { recountTickets } from './tickets/recount.ts'
import { purgeDrafts } from './versions/purge-drafts.ts'

/** All housekeeping of the service; what is listed here runs by itself. */
export const SCHEDULE: readonly ScheduledTask[] = [
  tidyAssets,
  foldRunEvents,
  purgeBuildStarts,
  purgeDrafts,
  purgeIdempotency,
  forgetIdeas,
  purgeRateLimits,
  purgeSessions,
  purgeDeviceGrants,
  purgeSignIns,
  purgeEvents,
  purgeKeys,
  purgeMails,
  recountTickets,
  settleMoves,
  watchDomains,
]
