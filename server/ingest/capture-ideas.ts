import { sql } from 'kysely'
import { isUnavailable, prepared, transact, type Trx } from '../db/database.ts'
import type { IdeasTable } from '../db/tables/ingest.ts'
import type { Core, Needs, Platform } from '../platform.ts'
import { type Drain, startDrain } from '../relay/drain.ts'
import { newTicket, storeTicket } from '../tickets/insert-ticket.ts'
import { NewTicket } from '../tickets/ticket.ts'
import { IDEAS_CHANNEL } from './accept-idea.ts'
import { holdProject } from '../projects/store.ts'

/** So many ideas of one project share a transaction. */
const BATCH = 100

/** An idea has no value for these fields of a ticket. */
const DEFAULTS = NewTicket.parse({ title: 'Idea' })

/** A literal, so that the partial index is used in every plan. */
const QUEUED = sql.lit('queued' as const)

interface Due {
  org_id: string
  project_id: string
  now: Date
}

// No limit: every project gets its batch in every round, however large other backlogs are.
const selectDueProjects = prepared<Omit<Due, 'now'>, { now: Date }>(
  'ideas-due-projects',
  `select distinct org_id, project_id from ideas where state = 'queued' and next_at <= :now`,
)

/** Any number of processes may run it: row locks divide the ideas. */
export function startCapture(platform: Needs<'pool' | 'listener'>): Drain {
  const { listener, log } = platform
  const work = (signal: AbortSignal) => captureIdeas(platform, signal)
  return startDrain({ name: 'ideas', channel: IDEAS_CHANNEL, listener, log, work })
}

/** Runs one round: a batch of every project with due ideas. Returns how many were captured or postponed. */
export async function captureIdeas(
  platform: Needs<'pool'>,
  signal?: AbortSignal,
): Promise<{ handled: number }> {
  const now = platform.clock.now()
  let handled = 0
  for (const project of await selectDueProjects(platform.pool, { now })) {
    if (signal?.aborted === true) break
    handled += await captureProject(platform, { ...project, now })
  }
  return { handled }
}

async function captureProject(platform: Core, due: Due): Promise<number> {
  try {
    return await captureBatch(platform, due)
  } catch (error) {
    if (isUnavailable(error)) throw error
    platform.log.warn({ err: error, projectId: due.project_id }, 'ideas are captured one by one')
    return captureOneByOne(platform, due)
  }
}

/**
 * Creates tickets and events and settles their ideas in one transaction. The row locks are the claim: when a
 * process dies they are released and nothing is half done.
 */
function captureBatch(platform: Core, due: Due, only?: string): Promise<number> {
  return transact(platform.db, async (trx) => {
    // The project before its ideas, like a deletion locks them. One that is being deleted deletes its ideas too.
    const project = { orgId: due.org_id, projectId: due.project_id }
    if ((await holdProject(trx, project, { skipLocked: true })) === null) return 0
    const ideas = await selectDue(trx, due)
      .$if(only !== undefined, (query) => query.where('ticket_id', '=', only ?? ''))
      .forUpdate()
      .skipLocked()
      .execute()
    for (const idea of ideas) await storeIdeaTicket(trx, idea)
    if (ideas.length > 0) await settle(trx, due, ideas)
    return ideas.length
  })
}

/** Captures idea by idea, so that one that cannot become a ticket does not block the others. */
async function captureOneByOne(platform: Core, due: Due): Promise<number> {
  const ideas = await selectDue(platform.db, due).execute()
  for (const idea of ideas) {
    try {
      await captureBatch(platform, due, idea.ticket_id)
    } catch (error) {
      if (isUnavailable(error)) throw error
      await postponeIdea(platform, idea, error)
    }
  }
  return ideas.length
}

const selectDue = (db: Platform['db'] | Trx, { org_id, project_id, now }: Due) =>
  db
    .selectFrom('ideas')
    .selectAll()
    .where('org_id', '=', org_id)
    .where('project_id', '=', project_id)
    .where('state', '=', QUEUED)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('ticket_id')
    .limit(BATCH)

function storeIdeaTicket(trx: Trx, idea: IdeasTable): Promise<void> {
  const { title, body, url } = idea
  const draft = { ...DEFAULTS, title, body, url, origin: null, source: 'ingest' as const }
  const ticket = newTicket(idea.project_id, draft, idea.source_id, idea.created_at)
  return storeTicket(trx, idea.org_id, { ...ticket, id: idea.ticket_id }, idea.created_at)
}

/** Keeps only the sender's id; the text is in the ticket now. */
async function settle(trx: Trx, { org_id }: Due, ideas: IdeasTable[]): Promise<void> {
  const ids = ideas.map((idea) => idea.ticket_id)
  await sql`
    with forgotten as (
      delete from ideas where org_id = ${org_id} and ticket_id = any(${ids}) and external_id is null)
    update ideas set state = 'captured', title = '', body = '', url = null
    where org_id = ${org_id} and ticket_id = any(${ids}) and external_id is not null`.execute(trx)
}

/** Pauses after each failure; after the last the idea is kept as failed, with its text. */
const RETRY_SECONDS = [1, 2, 4, 8, 16]

/** After the last failure the idea is marked as failed. */
async function postponeIdea(platform: Core, idea: IdeasTable, error: unknown): Promise<void> {
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
