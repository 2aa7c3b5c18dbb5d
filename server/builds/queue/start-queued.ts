import { sql } from 'kysely'
import { chooseModel } from '../../connections/model-access.ts'
import { requireReadable } from '../../connections/model-files.ts'
import { isUnavailable, transact, type Trx } from '../../db/database.ts'
import { lockProject } from '../../db/locks.ts'
import type { BuildQueueTable, BuildWaiting } from '../../db/tables/runs.ts'
import { ApiError } from '../../http/errors.ts'
import type { Platform } from '../../platform.ts'
import { type Drain, startDrain } from '../../relay/drain.ts'
import type { QueueRefusal } from '../../tickets/ticket.ts'
import { lockAllowance, nextAllowance } from './allowance.ts'
import { isBuilding, noteRefusal, openQuestions, openRun } from '../run/open-run.ts'
import { QUEUE_CHANNEL } from './notify.ts'

/** How long a line rests whose head could not be started for a reason that somebody has to remove. */
const REST_MS = 60_000
const HEADS_PER_TURN = 50

/** Starts queued builds for as long as the process works; safe to run in several processes. */
export function drainBuildQueue(platform: Platform): Drain {
  const { listener, log } = platform
  return startDrain({
    name: 'build queue',
    channel: QUEUE_CHANNEL,
    listener,
    log,
    work: (signal) => startQueued(platform, signal),
  })
}

type Head = Pick<BuildQueueTable, 'org_id' | 'project_id' | 'ticket_id'>

/** One turn: starts the first ticket of every line in whose project nothing is being built. */
export async function startQueued(platform: Platform, signal: AbortSignal): Promise<{ handled: number }> {
  let handled = 0
  for (const head of await readyHeads(platform)) {
    if (signal.aborted) break
    if (await startOrRest(platform, head)) handled += 1
  }
  return { handled }
}

// Only the first of a line may go, however long it has to wait: the order is the promise.
async function readyHeads(platform: Platform): Promise<Head[]> {
  const { rows } = await sql<Head>`
    select org_id, project_id, ticket_id from (
      select distinct on (q.project_id) q.org_id, q.project_id, q.ticket_id, q.not_before
      from build_queue q join projects p on p.org_id = q.org_id and p.id = q.project_id
      where p.lifecycle <> 'archived' and p.deleting_at is null
        and not exists (select from runs r where r.project_id = q.project_id and r.status in ('queued', 'running'))
      order by q.project_id, q.position
    ) head
    where not_before is null or not_before <= ${platform.clock.now()}
    limit ${HEADS_PER_TURN}`.execute(platform.db)
  return rows
}

async function startOrRest(platform: Platform, head: Head): Promise<boolean> {
  try {
    return await transact(platform.db, (trx) => startHead(platform, trx, head))
  } catch (error) {
    if (isUnavailable(error)) throw error
    // One line that cannot be started must not hold up the others.
    platform.log.error({ err: error, project: head.project_id }, 'queued build could not be started')
    await transact(platform.db, (trx) => rest(trx, head, platform.clock.now(), { waiting: null }))
    return false
  }
}

/**
 * Starts the build in the transaction that takes its ticket out of the line: whatever dies, each is started exactly
 * once. False when it is not its turn any more, or has to wait.
 */
async function startHead(platform: Platform, trx: Trx, head: Head): Promise<boolean> {
  const settings = await trx
    .selectFrom('organization_settings')
    .select(['plan', 'suspended_at'])
    .where('org_id', '=', head.org_id)
    .executeTakeFirstOrThrow()
  await lockAllowance(trx, head.org_id, settings.plan)
  await lockProject(trx, head.project_id)
  const order = await readOrder(trx, head)
  // Taken out of the line, archived or started by hand meanwhile.
  if (order === null || (await isBuilding(trx, head.project_id))) return false
  // It became one that is not built while it waited.
  if (order.type === 'epic') return leaveLine(trx, head)
  if ((await openQuestions(trx, head.ticket_id)) !== null) return leaveRefused(trx, head, 'awaiting')
  const at = platform.clock.now()
  if (settings.suspended_at !== null) return rest(trx, head, at, { waiting: 'suspended' })
  const chosen = await chooseModel(trx, order).catch(unlessRefused)
  if (chosen === null) return rest(trx, head, at, { waiting: 'model' })
  const project = { id: head.project_id, org_id: head.org_id }
  const files = await requireReadable(trx, project, chosen, order.attachments).catch(unlessRefused)
  // The ticket's own fault, so what is queued behind it does not wait for it.
  if (files === null) return leaveRefused(trx, head, 'attachments')
  const free = await nextAllowance(trx, head.org_id, settings.plan, at)
  if (free !== null) return rest(trx, head, at, { waiting: 'allowance', until: free })
  await openRun(trx, platform.jobs, {
    orgId: head.org_id,
    projectId: head.project_id,
    ticketId: head.ticket_id,
    trigger: 'queue',
    scopes: order.scopes,
    actor: order.actor,
    chosen,
    files,
    at,
  })
  return true
}

const after = (at: Date) => new Date(at.getTime() + REST_MS)

function unlessRefused(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}

/** The order as it stands under the lock, when the ticket is still the first of an active project's line. */
async function readOrder(trx: Trx, head: Head) {
  const first = await trx
    .selectFrom('build_queue as q')
    .innerJoin('projects as p', (join) =>
      join.onRef('p.org_id', '=', 'q.org_id').onRef('p.id', '=', 'q.project_id'),
    )
    .innerJoin('tickets as t', (join) =>
      join.onRef('t.org_id', '=', 'q.org_id').onRef('t.id', '=', 'q.ticket_id'),
    )
    .select([
      'q.ticket_id',
      'q.scopes',
      'q.actor',
      't.type',
      't.attachments',
      'p.org_id',
      'p.model_connection_id',
      'p.model',
    ])
    .where('q.org_id', '=', head.org_id)
    .where('q.project_id', '=', head.project_id)
    .where('p.lifecycle', '!=', 'archived')
    .where('p.deleting_at', 'is', null)
    .orderBy('q.position')
    .limit(1)
    .executeTakeFirst()
  return first?.ticket_id === head.ticket_id ? first : null
}

async function leaveLine(trx: Trx, head: Head): Promise<boolean> {
  await trx
    .deleteFrom('build_queue')
    .where('org_id', '=', head.org_id)
    .where('project_id', '=', head.project_id)
    .where('ticket_id', '=', head.ticket_id)
    .execute()
  return true
}

async function leaveRefused(trx: Trx, head: Head, refusal: QueueRefusal): Promise<boolean> {
  await noteRefusal(trx, head, refusal)
  return leaveLine(trx, head)
}

/** Keeps a line at rest, with what it waits for; it is tried again in a minute, since that may have changed. */
async function rest(
  trx: Trx,
  head: Head,
  at: Date,
  { waiting, until = null }: { waiting: BuildWaiting | null; until?: Date | null },
): Promise<false> {
  const notBefore = until !== null && until < after(at) ? until : after(at)
  await trx
    .updateTable('build_queue')
    .set({ not_before: notBefore, waiting, waiting_until: until })
    .where('org_id', '=', head.org_id)
    .where('project_id', '=', head.project_id)
    .where('ticket_id', '=', head.ticket_id)
    .execute()
  return false
}
