import { STARTS_OF_ORGANIZATION } from '../builds/run/allowance.ts'
import type { DeletedRows } from '../db/purge.ts'
import { activityRowsExcept } from '../activity/log.ts'
import { EVENTS_OF_ORGANIZATION } from '../events/purge-events.ts'
import { PICTURES_OF_ORGANIZATION } from '../help/attachments.ts'
import { RESPONSES_OF_ORGANIZATION } from '../http/purge-idempotency.ts'

/** The action in the activity log for a resource that a deletion step left in a cloud account. */
export const RESOURCE_LEFT_ACTION = 'resource.left'

/** An organization's tables that can be large, each before the table that it references. `$1` is the organization's id. */
export const LARGE_TABLES: readonly DeletedRows[] = [
  ...EVENTS_OF_ORGANIZATION,
  // Keeps the entries about resources left in cloud accounts: the last step reads them.
  activityRowsExcept(RESOURCE_LEFT_ACTION),
  PICTURES_OF_ORGANIZATION,
  RESPONSES_OF_ORGANIZATION,
  STARTS_OF_ORGANIZATION,
]
