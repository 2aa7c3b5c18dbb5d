import { cleanUpAssets } from '../capabilities/assets/housekeeping.ts'
import { resumeErasures } from '../capabilities/auth/erasures.ts'
import { syncStaleSubscriptions } from '../billing/sync-stale-subscriptions.ts'
import { purgeSessions } from '../auth/purge-sessions.ts'
import { purgeBuildStarts } from '../builds/run/allowance.ts'
import { compactRunEvents } from '../builds/stream/compact.ts'
import { retryArchiving } from '../closing/archive-project.ts'
import { retryRebinds } from '../connections/resume-rebinds.ts'
import { purgeSignIns } from '../connections/sign-in/oauth-state.ts'
import { purgeDeviceGrants } from '../device/purge-grants.ts'
import { watchDomains } from '../domain/watch.ts'
import { purgeEvents } from '../events/purge-events.ts'
import { purgeIdempotency } from '../http/purge-idempotency.ts'
import { purgeRateLimits } from '../http/limits/purge.ts'
import { purgePictures } from '../help/attachments.ts'
import { mailHelpReplies } from '../help/operator.ts'
import { purgeIdeas } from '../ingest/purge-ideas.ts'
import { purgeKeys } from '../keys/purge-keys.ts'
import { purgeMails } from '../mail/purge-mails.ts'
import { deleteUnusedPackages } from '../releases/bundle.ts'
import { settleMoves } from '../relocation/leave-hosting.ts'
import type { Platform } from '../platform.ts'
import { taskTable } from '../schedule/schedule-job.ts'
import { recountTickets } from '../tickets/recount.ts'
import { purgeDrafts } from '../versions/purge-drafts.ts'

/** Every scheduled task. A task that is missing here never runs. */
export const TASK_SCHEDULE = taskTable<Platform>([
  cleanUpAssets,
  compactRunEvents,
  syncStaleSubscriptions,
  purgeBuildStarts,
  purgeDrafts,
  purgeIdempotency,
  purgeIdeas,
  purgeRateLimits,
  purgeSessions,
  purgeDeviceGrants,
  purgeSignIns,
  purgeEvents,
  purgeKeys,
  purgeMails,
  purgePictures,
  mailHelpReplies,
  recountTickets,
  resumeErasures,
  retryArchiving,
  retryRebinds,
  settleMoves,
  deleteUnusedPackages,
  watchDomains,
])
