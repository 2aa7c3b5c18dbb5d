import { sql } from 'kysely'
import { chooseModel } from '../../connections/models/access.ts'
import { requireReadableAttachments } from '../../attachments/model-files.ts'
import { isUnavailable, transact, type Trx } from '../../db/database.ts'
import { lockProject } from '../../db/locks.ts'
import type { BuildQueueTable, QueueWaitReason } from '../../db/tables/runs.ts'
import { ApiError } from '../../http/errors.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import { IS_ACTIVE, joinProject, PROJECTS_AS_P } from '../../sql/projects.ts'
import { type Drain, startDrain } from '../../relay/drain.ts'
import { recordQueueRefusal } from '../../tickets/built-ticket.ts'
import { DEPENDENCIES_BUILT } from '../../tickets/dependencies.ts'
import { joinTicket, TICKETS_AS_T } from '../../sql/tickets.ts'
import type { QueueRefusal } from '../../tickets/ticket.ts'
import { reachedLimit } from '../../usage/token-limits.ts'
import { lockAllowance, nextAllowance } from '../run/allowance.ts'
import { isBuilding, findUnansweredRun, openRun } from '../run/open-run.ts'
import { QUEUE_CHANNEL } from '../run/notify-queue.ts'
import { lockBuildPause, readPause } from '../../admin/build-pause.ts'
import { readOrganizationSettings } from '../../admin/settings.ts'

/** The wait before the next attempt to start the first ticket of a queue when the time at which it can start is unknown. */
const RETRY_MS = 60_000
const PROJECTS_PER_ROUND = 50

/** Starts queued builds until it is stopped. Safe in several processes, because each start happens under the lock of its project. */
export function drainBuildQueue(platform: PlatformPorts<'config' | 'jobs' | 'listener'>): Drain {
  const { listener, log } = platform
  return startDrain({
    name: 'build queue',
    channel: QUEUE_CHANNEL,
    listener,
    log,
    work: (signal) => startQueued(platform, signal),
  })
}

type QueuedTicket = Pick<BuildQueueTable, 'org_id' | 'project_id' | 'ticket_id'>

/** Runs one round: starts the first ticket of every queue whose project has no running build. `handled` counts them. */
export async function startQueued(
  platform: PlatformPorts<'config' | 'jobs'>,
  signal: AbortSignal,
): Promise<{ handled: number }> {
  let handled = 0
  if ((await readPause(platform.db)) !== null) return { handled }
  for (const queued of await readyTickets(platform)) {
    if (signal.aborted) break
    if (await startOrPostpone(platform, queued)) handled += 1
  }
  return { handled }
}

// Returns the tickets that may start: the first ticket of each queue whose dependencies are built. While this ticket has to wait, the
// tickets behind it wait too, because the order is guaranteed. The state of the dependencies is read each time, because a stored copy
// could become stale.
async function readyTickets(platform: Core): Promise<QueuedTicket[]> {
  // The lateral subquery reads one ticket per project, because this query runs every second and must not read all waiting tickets.
  const { rows } = await sql<QueuedTicket>`
    select q.org_id, q.project_id, q.ticket_id
    from (select distinct project_id from build_queue) waiting
    cross join lateral (
      select q.org_id, q.project_id, q.ticket_id, q.not_before
      from build_queue q ${sql.raw(joinTicket('q'))}
      where q.project_id = waiting.project_id and ${sql.raw(DEPENDENCIES_BUILT)}
      order by q.position
      limit 1
    ) q ${sql.raw(joinProject('q'))}
    where (q.not_before is null or q.not_before <= ${platform.clock.now()}) and ${sql.raw(IS_ACTIVE)}
      and not exists (select from runs r where r.project_id = q.project_id and r.status in ('queued', 'running'))
    limit ${PROJECTS_PER_ROUND}`.execute(platform.db)
  return rows
}

async function startOrPostpone(
  platform: PlatformPorts<'config' | 'jobs'>,
  queued: QueuedTicket,
): Promise<boolean> {
  try {
    return await transact(platform.db, (trx) => startTicket(platform, trx, queued))
  } catch (error) {
    if (isUnavailable(error)) throw error
    // One queue that fails must not delay the others.
    platform.log.error({ err: error, project: queued.project_id }, 'queued build could not be started')
    await transact(platform.db, (trx) => postponeTicket(trx, queued, platform.clock.now(), { waiting: null }))
    return false
  }
}

/**
 * Starts the build in the transaction that removes its ticket from the queue, so each build starts exactly once, even
 * after a crash. Returns false when the ticket is no longer first or has to wait.
 */
async function startTicket(
  platform: PlatformPorts<'config' | 'jobs'>,
  trx: Trx,
  queued: QueuedTicket,
): Promise<boolean> {
  if ((await lockBuildPause(trx)) !== null) return false
  const settings = await readOrganizationSettings(trx, queued.org_id)
  const plan = settings?.plan ?? platform.config.defaultPlan
  await lockAllowance(trx, queued.org_id, plan)
  await lockProject(trx, queued.project_id)
  const order = await readOrder(trx, queued)
  // Since the tickets were read, this one left the queue, the project was archived, or a person started another build of the project.
  if (order === null || (await isBuilding(trx, queued.project_id))) return false
  // The ticket became an epic while it waited, and an epic is not built.
  if (order.type === 'epic') return leaveQueue(trx, queued)
  if ((await findUnansweredRun(trx, queued.ticket_id)) !== null) return refuseQueued(trx, queued, 'awaiting')
  const at = platform.clock.now()
  if (settings?.suspended_at != null) return postponeTicket(trx, queued, at, { waiting: 'suspended' })
  const chosen = await chooseModel(trx, order).catch(unlessRefused)
  if (chosen === null) return postponeTicket(trx, queued, at, { waiting: 'model' })
  const project = { id: queued.project_id, org_id: queued.org_id }
  const files = await requireReadableAttachments(trx, project, chosen, order.attachments).catch(unlessRefused)
  // Only the attachments of this ticket are a problem, so the tickets behind it do not wait for it.
  if (files === null) return refuseQueued(trx, queued, 'attachments')
  const limit = await reachedLimit(trx, { orgId: queued.org_id, ticketId: queued.ticket_id }, at)
  // The token limit of a ticket stops only this ticket; the monthly limit makes the whole queue wait.
  if (limit !== null && limit.until === null) return refuseQueued(trx, queued, 'ticket_tokens')
  if (limit !== null) return postponeTicket(trx, queued, at, { waiting: 'tokens', until: limit.until })
  const free = await nextAllowance(trx, queued.org_id, plan, at)
  if (free !== null) return postponeTicket(trx, queued, at, { waiting: 'allowance', until: free })
  await openRun(trx, platform.jobs, {
    orgId: queued.org_id,
    projectId: queued.project_id,
    ticketId: queued.ticket_id,
    trigger: 'queue',
    scopes: order.scopes,
    actor: order.actor,
    chosen,
    files,
    at,
  })
  return true
}

const retryTimeAfter = (at: Date) => new Date(at.getTime() + RETRY_MS)

function unlessRefused(error: unknown): null {
  if (error instanceof ApiError) return null
  throw error
}

/** Reads the queued build under the lock. Returns null when its ticket is no longer first to start, or the project is not active. */
async function readOrder(trx: Trx, queued: QueuedTicket) {
  const first = await trx
    .selectFrom('build_queue as q')
    .innerJoin(PROJECTS_AS_P, (join) =>
      join.onRef('p.org_id', '=', 'q.org_id').onRef('p.id', '=', 'q.project_id'),
    )
    .innerJoin(TICKETS_AS_T, (join) =>
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
    .where('q.org_id', '=', queued.org_id)
    .where('q.project_id', '=', queued.project_id)
    .where(sql<boolean>`${sql.raw(IS_ACTIVE)}`)
    .where(sql<boolean>`${sql.raw(DEPENDENCIES_BUILT)}`)
    .orderBy('q.position')
    .limit(1)
    .executeTakeFirst()
  return first?.ticket_id === queued.ticket_id ? first : null
}

async function leaveQueue(trx: Trx, queued: QueuedTicket): Promise<boolean> {
  await trx
    .deleteFrom('build_queue')
    .where('org_id', '=', queued.org_id)
    .where('project_id', '=', queued.project_id)
    .where('ticket_id', '=', queued.ticket_id)
    .execute()
  return true
}

async function refuseQueued(trx: Trx, queued: QueuedTicket, refusal: QueueRefusal): Promise<boolean> {
  await recordQueueRefusal(trx, queued, refusal)
  return leaveQueue(trx, queued)
}

/**
 * Postpones the first ticket of a queue by a minute, or until `until` if that is sooner, and stores what it
 * waits for.
 */
async function postponeTicket(
  trx: Trx,
  queued: QueuedTicket,
  at: Date,
  { waiting, until = null }: { waiting: QueueWaitReason | null; until?: Date | null },
): Promise<false> {
  const notBefore = until !== null && until < retryTimeAfter(at) ? until : retryTimeAfter(at)
  await trx
    .updateTable('build_queue')
    .set({ not_before: notBefore, waiting, waiting_until: until })
    .where('org_id', '=', queued.org_id)
    .where('project_id', '=', queued.project_id)
    .where('ticket_id', '=', queued.ticket_id)
    .execute()
  return false
}
