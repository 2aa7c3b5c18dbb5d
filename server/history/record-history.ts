import { personOf } from '../sql/auth.ts'
import type { Db, Trx } from '../db/database.ts'
import type { HistoryType } from '../db/tables/versions.ts'
import { newId } from '../lib/ids.ts'

interface HistoryEntry {
  orgId: string
  projectId: string
  type: HistoryType
  /** Who acted: the id or the email address of a user, or the id of an API key. Omitted for actions of the service itself. */
  actor?: string | null
  ticketId?: string
  runId?: string
  sha?: string | null
  /** Text for people, depending on the type: a summary, an address, a reason or a name. */
  detail?: string | null
  at: Date
}

const DETAIL_CHARS_MAX = 500
/** Limited, because a program can rename a project hundreds of times a minute, and each change is an entry. */
const LISTED_ENTRIES_MAX = 10_000

/** Stores an entry in the history of a project. Call it in the transaction of the change that the entry describes. */
export async function recordHistory(trx: Trx, entry: HistoryEntry): Promise<void> {
  await trx
    .insertInto('history_events')
    .values({
      id: newId('his'),
      org_id: entry.orgId,
      project_id: entry.projectId,
      type: entry.type,
      // Stores the id of the user whom `actor` names by id or email address, else null: an API key has no user.
      actor: entry.actor == null ? null : personOf(entry.actor),
      ticket_id: entry.ticketId ?? null,
      run_id: entry.runId ?? null,
      sha: entry.sha ?? null,
      detail: entry.detail?.slice(0, DETAIL_CHARS_MAX) ?? null,
      created_at: entry.at,
    })
    .execute()
}

/** Returns the entries of a project, newest first, at most `LISTED_ENTRIES_MAX`. */
export async function readHistory(db: Db, orgId: string, projectId: string) {
  return await db
    .selectFrom('history_events')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED_ENTRIES_MAX)
    .execute()
}
