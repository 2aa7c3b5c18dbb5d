import type { IdeasTable } from '../db/tables/ingest.ts'
import type { Platform } from '../platform.ts'

/** Pauses after each failure; after the last the idea is kept as failed, with its text. */
const RETRY_SECONDS = [1, 2, 4, 8, 16]

/** Schedules the next attempt of an idea that could not become a ticket, or marks it as failed. */
export async function postponeIdea(platform: Platform, idea: IdeasTable, error: unknown): Promise<void> {
  const pause = RETRY_SECONDS[idea.attempt]
  const now = platform.clock.now()
  await platform.db
    .updateTable('ideas')
    .set({
      attempt: idea.attempt + 1,
      ...(pause === undefined
        ? { state: 'failed' as const }
        : { next_at: new Date(now.getTime() + pause * 1000) }),
    })
    .where('org_id', '=', idea.org_id)
    .where('ticket_id', '=', idea.ticket_id)
    .where('state', '=', 'queued')
    // Only if no other process has tried it meanwhile.
    .where('attempt', '=', idea.attempt)
    .execute()
  const subject = {
    err: error,
    ticketId: idea.ticket_id,
    sourceId: idea.source_id,
    attempt: idea.attempt + 1,
  }
  if (pause === undefined) platform.log.error(subject, 'an idea could not become a ticket and is given up')
  else platform.log.warn(subject, 'an idea could not become a ticket yet')
}
