import { sql } from 'kysely'
import { type Db, isUnavailable, preparedQuery, transact, type Trx } from '../db/database.ts'
import type { IdeasTable } from '../db/tables/ingest.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { type Drain, startDrain } from '../relay/drain.ts'
import { newTicket, storeTickets } from '../tickets/insert-ticket.ts'
import { NewTicket, type Ticket } from '../tickets/ticket.ts'
import { IDEAS_CHANNEL } from './accept-idea.ts'
import { findProjectForShare } from '../projects/store.ts'

/** The maximum number of a project's ideas that become tickets in one transaction. */
const IDEAS_PER_BATCH = 100

/** The defaults for all fields of a ticket that an idea does not have. */
const TICKET_DEFAULTS = NewTicket.parse({ title: 'Idea' })

/** A literal instead of a parameter, so that every plan uses the partial index. */
const QUEUED_SQL = sql.lit('queued' as const)

interface DueProject {
  org_id: string
  project_id: string
  now: Date
}

// There is no `limit`: every project gets a batch in every round, however many ideas other projects have.
const selectDueProjects = preparedQuery<Omit<DueProject, 'now'>, { now: Date }>(
  'ideas-due-projects',
  `select distinct org_id, project_id from ideas where state = 'queued' and next_at <= :now`,
)

/** Starts turning ideas into tickets. Several processes may run at once: row locks divide the ideas between them. */
export function startCapture(platform: PlatformPorts<'pool' | 'listener'>): Drain {
  const { listener, log } = platform
  const captureRound = (signal: AbortSignal) => captureIdeas(platform, signal)
  return startDrain({ name: 'ideas', channel: IDEAS_CHANNEL, listener, log, work: captureRound })
}

/**
 * Turns one batch of due ideas of every project into tickets. Returns the number of ideas that became tickets
 * or were postponed.
 */
export async function captureIdeas(
  platform: PlatformPorts<'pool'>,
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

async function captureProject(platform: Core, due: DueProject): Promise<number> {
  try {
    return await captureBatch(platform, due)
  } catch (error) {
    if (isUnavailable(error)) throw error
    platform.log.warn({ err: error, projectId: due.project_id }, 'ideas are captured one by one')
    return captureOneByOne(platform, due)
  }
}

/**
 * Creates tickets with their events, and marks the ideas as captured, in one transaction. The row locks are the claim:
 * when a process dies, its locks are released and its transaction is rolled back.
 */
function captureBatch(platform: Core, due: DueProject, only?: string): Promise<number> {
  return transact(platform.db, async (trx) => {
    // The project is locked before its ideas, as the deletion of a project does, so that the two cannot deadlock. A
    // project that is being deleted is skipped: its ideas are deleted with it.
    const project = { orgId: due.org_id, projectId: due.project_id }
    if ((await findProjectForShare(trx, project, { skipLocked: true })) === null) return 0
    const ideas = await selectDue(trx, due)
      .$if(only !== undefined, (query) => query.where('ticket_id', '=', only ?? ''))
      .forUpdate()
      .skipLocked()
      .execute()
    if (ideas.length === 0) return 0
    await storeTickets(trx, project, ideas.map(ticketFromIdea))
    await forgetIdeaText(trx, due, ideas)
    return ideas.length
  })
}

/** Captures each idea in its own transaction, so that an idea that cannot become a ticket does not block the others. */
async function captureOneByOne(platform: Core, due: DueProject): Promise<number> {
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

const selectDue = (db: Db | Trx, { org_id, project_id, now }: DueProject) =>
  db
    .selectFrom('ideas')
    .selectAll()
    .where('org_id', '=', org_id)
    .where('project_id', '=', project_id)
    .where('state', '=', QUEUED_SQL)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .orderBy('ticket_id')
    .limit(IDEAS_PER_BATCH)

function ticketFromIdea(idea: IdeasTable): Ticket {
  const { title, body, url } = idea
  const draft = { ...TICKET_DEFAULTS, title, body, url, origin: null, source: 'ingest' as const }
  return { ...newTicket(idea.project_id, draft, idea.source_id, idea.created_at), id: idea.ticket_id }
}

/** Removes the texts of ideas that are tickets now. Only an id that the sender gave is kept, to recognize repeated posts. */
async function forgetIdeaText(trx: Trx, { org_id }: DueProject, ideas: IdeasTable[]): Promise<void> {
  const ids = ideas.map((idea) => idea.ticket_id)
  await sql`
    with forgotten as (
      delete from ideas where org_id = ${org_id} and ticket_id = any(${ids}) and external_id is null)
    update ideas set state = 'captured', title = '', body = '', url = null
    where org_id = ${org_id} and ticket_id = any(${ids}) and external_id is not null`.execute(trx)
}

/** The pause after each failure. After one more failure the idea is kept as failed, with its text. */
const RETRY_SECONDS = [1, 2, 4, 8, 16]

/** Postpones an idea after a failure, or marks it as failed after the last one. */
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
    // Changes the row only if no other process has tried the idea meanwhile.
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
