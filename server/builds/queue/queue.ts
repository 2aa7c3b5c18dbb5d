import { sql } from 'kysely'
import * as z from 'zod'
import { JOINED_DEPENDENCIES, IS_OPEN } from '../../tickets/dependencies.ts'
import { openQuestions } from '../../agent/prompts/questions.ts'
import { readPause } from '../../admin/build-pause.ts'
import { chooseModel } from '../../connections/models/access.ts'
import { type Trx, transact } from '../../db/database.ts'
import { lockProject } from '../../db/locks.ts'
import type { CallerContext } from '../../endpoint.ts'
import { notFound } from '../../http/errors.ts'
import { PLAN_MESSAGES } from '../../sql/plan.ts'
import { requireStillActive } from '../../projects/lifecycle.ts'
import { loadProject } from '../../projects/projects.ts'
import { loadBuildable } from '../start.ts'
import { recordQueueRefusal } from '../../tickets/built-ticket.ts'
import { joinTicket } from '../../sql/tickets.ts'
import { ticketLinesOf } from '../../tickets/ticket-lines.ts'
import { notifyQueue } from '../run/notify-queue.ts'

export const QueueBody = z.object({ ticketIds: z.array(z.string().max(100)).min(1).max(100) })

const SkipReason = z.enum(['unknown', 'structure', 'queued', 'building', 'awaiting'])
type SkipReason = z.output<typeof SkipReason>

export const Queued = z.object({
  queued: z.array(z.string()),
  skipped: z.array(z.object({ ticketId: z.string(), reason: SkipReason })),
  openQuestions: z
    .array(z.string())
    .describe(
      'What the plan agent asked when it wrote one of these tickets, while the person has not written to it again. The builds decide it themselves.',
    ),
})

const Dependency = z.object({
  ticketId: z.string(),
  title: z.string().nullable().describe('Null when the ticket is gone.'),
  problem: z
    .enum(['missing', 'cancelled', 'failed', 'awaiting', 'not_queued'])
    .nullable()
    .describe(
      'Why it will not be built unless a person acts: it is gone, was cancelled, its last build failed or asks something, or it is not queued. Null when it is queued or being built.',
    ),
})

export const BuildQueue = z
  .object({
    running: z.object({ ticketId: z.string(), title: z.string(), runId: z.string() }).nullable(),
    queued: z.array(
      z.object({
        ticketId: z.string(),
        title: z.string(),
        position: z.int(),
        queuedAt: z.iso.datetime(),
        waiting: z
          .object({
            reason: z.enum([
              'model',
              'attachments',
              'allowance',
              'suspended',
              'awaiting',
              'paused',
              'tokens',
              'dependencies',
            ]),
            until: z.iso.datetime().nullable(),
            dependencies: z
              .array(Dependency)
              .optional()
              .describe('The tickets it waits for, when the reason is `dependencies`.'),
          })
          .nullable()
          .describe(
            'What keeps the ticket from being built although it is its turn, and until when that is known.',
          ),
      }),
    ),
  })
  .meta({ id: 'BuildQueue' })

/**
 * Appends tickets to the queue in the given order. Skips a ticket that cannot be queued and returns it with the reason, so that the others
 * are still queued.
 */
export async function queueBuilds(
  ctx: CallerContext<'db' | 'clock'>,
  projectId: string,
  ticketIds: string[],
): Promise<z.output<typeof Queued>> {
  const orgId = ctx.caller.organizationId
  const project = await loadBuildable(ctx, projectId)
  // Refuse now, because no queued ticket can be built without a model.
  await chooseModel(ctx.db, project)
  return transact(ctx.db, async (trx) => {
    await lockProject(trx, projectId)
    await requireStillActive(trx, { orgId, projectId }, 'building')
    const reasonNow = await reasonsToSkip(trx, { orgId, projectId, ticketIds })
    const queued: string[] = []
    const skipped: z.output<typeof Queued>['skipped'] = []
    for (const ticketId of ticketIds) {
      const reason = queued.includes(ticketId) ? 'queued' : reasonNow(ticketId)
      if (reason === null) queued.push(ticketId)
      else skipped.push({ ticketId, reason })
    }
    await appendTickets(trx, ctx, { orgId, projectId, ticketIds: queued })
    const questions =
      queued.length === 0 ? [] : await questionsAbout(trx, { orgId, projectId, ticketIds: queued })
    return { queued, skipped, openQuestions: questions }
  })
}

async function reasonsToSkip(
  trx: Trx,
  { orgId, projectId, ticketIds }: { orgId: string; projectId: string; ticketIds: string[] },
): Promise<(ticketId: string) => SkipReason | null> {
  const tickets = await ticketLinesOf(trx, { orgId, projectId }, ticketIds)
  const waiting = await trx
    .selectFrom('build_queue')
    .select('ticket_id')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('ticket_id', 'in', ticketIds)
    .execute()
  const building = await trx
    .selectFrom('runs')
    .select('ticket_id')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  const { rows: asking } = await sql<{ id: string }>`
    select t.id from unnest(${ticketIds}::text[]) t(id)
    where (select r.status from runs r where r.ticket_id = t.id
      order by r.created_at desc, r.id desc limit 1) = 'awaiting'`.execute(trx)
  const awaiting = new Set(asking.map(({ id }) => id))
  const types = new Map(tickets.map((ticket) => [ticket.id, ticket.type]))
  const queuedIds = new Set(waiting.map((row) => row.ticket_id))
  return (ticketId) => {
    const type = types.get(ticketId)
    if (type === undefined) return 'unknown'
    if (type === 'epic') return 'structure'
    if (queuedIds.has(ticketId)) return 'queued'
    if (building?.ticket_id === ticketId) return 'building'
    return awaiting.has(ticketId) ? 'awaiting' : null
  }
}

/**
 * Returns the questions of the newest message in the project's plan thread if the plan agent wrote one of these tickets
 * with this message. Otherwise returns an empty list.
 */
async function questionsAbout(
  trx: Trx,
  { orgId, projectId, ticketIds }: { orgId: string; projectId: string; ticketIds: string[] },
): Promise<string[]> {
  const newest = await trx
    .selectFrom(PLAN_MESSAGES)
    .select(['m.role', 'm.text', 'm.tickets'])
    .where('m.org_id', '=', orgId)
    .where('m.project_id', '=', projectId)
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest?.role !== 'agent' || !newest.tickets.some((id) => ticketIds.includes(id))) return []
  return openQuestions(newest.text)
}

async function appendTickets(
  trx: Trx,
  ctx: CallerContext<'clock'>,
  { orgId, projectId, ticketIds }: { orgId: string; projectId: string; ticketIds: string[] },
): Promise<void> {
  if (ticketIds.length === 0) return
  const { last } = await trx
    .selectFrom('build_queue')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const rows = ticketIds.map((ticketId, i) => ({
    org_id: orgId,
    project_id: projectId,
    ticket_id: ticketId,
    position: (last ?? 0) + i + 1,
    actor: ctx.caller.actorId,
    scopes: [...ctx.caller.scopes],
    not_before: null,
    waiting: null,
    waiting_until: null,
    created_at: ctx.clock.now(),
  }))
  await trx.insertInto('build_queue').values(rows).execute()
  for (const ticket_id of ticketIds) await recordQueueRefusal(trx, { org_id: orgId, ticket_id }, null)
  await notifyQueue(trx, orgId, projectId)
}

type WaitReason = z.output<typeof BuildQueue>['queued'][number]['waiting']

interface QueueRow {
  ticketId: string
  title: string
  runId: string | null
  at: Date
  waiting: NonNullable<WaitReason>['reason'] | null
  until: Date | null
  dependencies: z.output<typeof Dependency>[] | null
}

function waitingReason({ waiting, until, dependencies }: QueueRow): WaitReason {
  if (dependencies !== null) return { reason: 'dependencies', until: null, dependencies }
  return waiting === null ? null : { reason: waiting, until: until?.toISOString() ?? null }
}

/** The open dependencies of the ticket `t` as JSON, in their order; null when there are none. */
const OPEN_DEPENDENCIES = `(
  select json_agg(json_build_object('ticketId', d.id, 'title', x.title, 'problem', case
    when x.id is null then 'missing'
    when x.status = 'cancelled' then 'cancelled'
    when last.status in ('queued', 'running') or exists (
      select from build_queue q where q.project_id = x.project_id and q.ticket_id = x.id) then null
    when last.status in ('failed', 'awaiting') then last.status
    else 'not_queued' end) order by d.place)
  from ${JOINED_DEPENDENCIES} left join lateral (
    select r.status from runs r where r.ticket_id = x.id order by r.created_at desc, r.id desc limit 1) last on true
  where ${IS_OPEN})`

/**
 * Returns the running build and the queued tickets, in order. One statement reads both, so that a ticket that is just being started is in
 * exactly one of them.
 */
export async function readQueue(
  ctx: CallerContext<'db'>,
  projectId: string,
): Promise<z.output<typeof BuildQueue>> {
  const orgId = ctx.caller.organizationId
  await loadProject(ctx, projectId)
  const { rows } = await sql<QueueRow>`
    select entry.ticket_id as "ticketId", t.title, entry."runId", entry.at, entry.waiting, entry.until,
      case when entry."runId" is null then ${sql.raw(OPEN_DEPENDENCIES)} end as dependencies
    from (
      select org_id, ticket_id, id as "runId", created_at as at, 0::bigint as position,
        null as waiting, null::timestamptz as until
      from runs
      where org_id = ${orgId} and project_id = ${projectId} and status in ('queued', 'running')
      union all
      select org_id, ticket_id, null, created_at, position, waiting, waiting_until
      from build_queue
      where org_id = ${orgId} and project_id = ${projectId}
    ) entry
    ${sql.raw(joinTicket('entry'))}
    order by entry.position`.execute(ctx.db)
  const isPaused = (await readPause(ctx.db)) !== null
  const running = rows.flatMap(({ ticketId, title, runId }) =>
    runId === null ? [] : [{ ticketId, title, runId }],
  )
  const queued = rows
    .filter(({ runId }) => runId === null)
    .map((row, i) => ({
      ticketId: row.ticketId,
      title: row.title,
      position: i + 1,
      queuedAt: row.at.toISOString(),
      waiting: isPaused && i === 0 ? { reason: 'paused' as const, until: null } : waitingReason(row),
    }))
  return { running: running[0] ?? null, queued }
}

/**
 * Removes a ticket from the queue; a running build continues. Throws 404 when the ticket is not queued. Takes the lock of the project, as
 * starting a queued build does, so that a removed ticket is not built afterwards.
 */
export async function removeFromQueue(
  ctx: CallerContext<'db'>,
  { projectId, ticketId }: { projectId: string; ticketId: string },
): Promise<{ ticketId: string }> {
  await loadProject(ctx, projectId)
  const gone = await transact(ctx.db, async (trx) => {
    await lockProject(trx, projectId)
    return await trx
      .deleteFrom('build_queue')
      .where('org_id', '=', ctx.caller.organizationId)
      .where('project_id', '=', projectId)
      .where('ticket_id', '=', ticketId)
      .executeTakeFirst()
  })
  if (gone.numDeletedRows === 0n) throw notFound('queued ticket')
  return { ticketId }
}
