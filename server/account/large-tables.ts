import { STARTS_OF_ORGANIZATION } from '../builds/queue/allowance.ts'
import type { DeletedRows } from '../db/purge.ts'
import { logWithout } from '../activity/log.ts'
import { EVENTS_OF_ORGANIZATION } from '../events/purge-events.ts'
import { PICTURES_OF_ORGANIZATION } from '../help/attachments.ts'
import { RESPONSES_OF_ORGANIZATION } from '../http/purge-idempotency.ts'

/** In the activity log, for a resource that a step left in a cloud account. */
export const LEFT = 'resource.left'

/** Tables of an organization that can be large, each before the one it references. `$1` is its id. */
export const LARGE_TABLES: readonly DeletedRows[] = [
  ...EVENTS_OF_ORGANIZATION,
  // The last step reads what was left in cloud accounts from the log.
  logWithout(LEFT),
  PICTURES_OF_ORGANIZATION,
  RESPONSES_OF_ORGANIZATION,
  STARTS_OF_ORGANIZATION,
]
