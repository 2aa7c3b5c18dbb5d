import * as z from 'zod'
import { preparedQuery } from '../db/database.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { RawJson } from '../http/endpoint.ts'
import { notFound } from '../http/errors.ts'
import { foldText } from '../lib/fold.ts'
import { withProject } from '../sql/projects.ts'
import { loadProject } from '../projects/projects.ts'
import { TICKET_PRIORITIES, TICKET_STATUSES, TICKET_TYPES } from './ticket.ts'
import { tableOf } from '../lib/keys.ts'

const Count = z.number().int().nonnegative()
const countByName = <const Names extends readonly string[]>(names: Names) =>
  z.object(tableOf<Names[number], typeof Count>(names, () => Count))

export const TicketStats = z
  .object({
    total: Count,
    open: Count.describe('Neither done nor cancelled.'),
    overdue: Count.describe('Open, and due before now.'),
    byStatus: countByName(TICKET_STATUSES),
    byType: countByName(TICKET_TYPES),
    byPriority: countByName(TICKET_PRIORITIES),
  })
  .meta({ id: 'TicketStats' })
export type TicketStats = z.output<typeof TicketStats>

export const TicketRollup = z
  .object({
    total: Count,
    open: Count,
    done: Count,
    cancelled: Count,
    byStatus: countByName(TICKET_STATUSES),
  })
  .meta({ id: 'TicketRollup' })
export type TicketRollup = z.output<typeof TicketRollup>

interface ProjectScope {
  orgId: string
  projectId: string
}

/** The result has no rows only when there is no such project. Otherwise it always has the row of overdue tickets. */
const selectStats = preparedQuery<{ kind: string; value: string; n: number }, ProjectScope & { now: Date }>(
  'ticket-stats',
  `with ${withProject(':orgId', ':projectId')}
   select c.kind, c.value, sum(c.n)::bigint as n
   from project p join ticket_counts c on c.project_id = p.id group by c.kind, c.value
   union all
   select 'overdue', '', (select count(*) from tickets t
     where t.org_id = :orgId and t.project_id = p.id and t.is_active and t.due_at < :now::timestamptz)
   from project p`,
)

/**
 * Returns the counters that triggers maintain. Only overdue tickets are counted here, because the count of overdue tickets depends on the
 * time. Throws 404 when there is no such project.
 */
export async function ticketStats(ctx: Context<'pool'>, projectId: string): Promise<TicketStats> {
  const rows = await selectStats(ctx.pool, { ...projectScopeOf(ctx, projectId), now: ctx.clock.now() })
  if (rows.length === 0) throw notFound('project')
  const countsOfKind = (kind: string) =>
    new Map(rows.filter((row) => row.kind === kind).map((row) => [row.value, row.n]))
  const byStatus = fillZeros(TICKET_STATUSES, countsOfKind('status'))
  const { total, open } = sumStatuses(byStatus)
  return {
    total,
    open,
    overdue: countsOfKind('overdue').get('') ?? 0,
    byStatus,
    byType: fillZeros(TICKET_TYPES, countsOfKind('type')),
    byPriority: fillZeros(TICKET_PRIORITIES, countsOfKind('priority')),
  }
}

/**
 * The most spellings of labels that one request reads. A ticket has up to 20 labels, so a program can store hundreds of thousands in an
 * hour, and comparing as many would block the process for seconds.
 */
const LABELS_MAX = 10_000

const selectLabels = preparedQuery<{ label: string; count: number }, ProjectScope>(
  'ticket-labels',
  `with ${withProject(':orgId', ':projectId')}
   select c.label, c.n as count from project p join lateral (
     select * from label_counts l where l.project_id = p.id and l.n > 0 order by l.n desc limit ${LABELS_MAX}) c on true
   order by c.first_place`,
)

/**
 * Returns the labels in use, the most used first. Reads only the `LABELS_MAX` spellings that are used most. Spellings that differ only in
 * case count as one label, which has the oldest spelling.
 */
export async function listTicketLabels(ctx: Context<'pool'>, projectId: string) {
  const rows = await selectLabels(ctx.pool, projectScopeOf(ctx, projectId))
  if (rows.length === 0) await loadProject(ctx, projectId)
  const spellings = Map.groupBy(rows, ({ label }) => foldText(label)).values()
  return [...spellings]
    .map(([first, ...others]) => ({
      label: first?.label ?? '',
      count: others.reduce((sum, { count }) => sum + count, first?.count ?? 0),
    }))
    .sort((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1))
}

/**
 * Returns `label` and its other spellings in the list of labels, because labels that differ only in upper and lower case are equal. `label`
 * itself may be missing in the list, which has at most `LABELS_MAX` spellings.
 */
export async function spellingsOf(ctx: Context<'pool'>, projectId: string, label: string): Promise<string[]> {
  const rows = await selectLabels(ctx.pool, projectScopeOf(ctx, projectId))
  const folded = foldText(label)
  return [label, ...rows.map((row) => row.label).filter((spelling) => foldText(spelling) === folded)]
}

// Returns all ids and counts in one row. One row per ticket would take twice as long to read for 500 tickets,
// most of which have no descendants.
const selectRollups = preparedQuery<
  { ids: string | null; below: [id: string, status: string, n: number][] },
  ProjectScope & { ids: string[] }
>(
  'ticket-rollups',
  `with found as materialized (
     select id from tickets where id = any(:ids::text[]) and org_id = :orgId and project_id = :projectId)
   select (select string_agg(id, ',') from found) as ids,
     (select coalesce(json_agg(json_build_array(r.ticket_id, r.status, r.n)), '[]')
      from found join ticket_rollups r on r.ticket_id = found.id) as below`,
)

/** Returns the counts of each ticket's descendants at any depth. Ids that are not tickets of the project are left out. */
export async function ticketRollups(
  ctx: Context<'pool'>,
  projectId: string,
  ids: string[],
): Promise<RawJson> {
  const [result] = await selectRollups(ctx.pool, { ...projectScopeOf(ctx, projectId), ids })
  const found = result?.ids?.split(',') ?? []
  if (found.length === 0) await loadProject(ctx, projectId)
  const below = Map.groupBy(result?.below ?? [], ([id]) => id)
  const fields = found.map((id) => {
    const counts = below.get(id)?.map(([, status, n]) => [status, n] as const)
    return `"${id}":${counts === undefined ? EMPTY_ROLLUP_JSON : JSON.stringify(rollupOf(new Map(counts)))}`
  })
  return new RawJson(`{${fields.join(',')}}`)
}

const projectScopeOf = (ctx: CallerContext, projectId: string): ProjectScope => ({
  orgId: ctx.caller.organizationId,
  projectId,
})

function rollupOf(counts: Map<string | null, number>): TicketRollup {
  const byStatus = fillZeros(TICKET_STATUSES, counts)
  return { ...sumStatuses(byStatus), done: byStatus.done, cancelled: byStatus.cancelled, byStatus }
}

/** Returns a count for every name, 0 where nothing was counted. */
const fillZeros = <Name extends string>(names: readonly Name[], counts: Map<string | null, number>) =>
  tableOf(names, (name) => counts.get(name) ?? 0)

function sumStatuses(byStatus: TicketStats['byStatus']): { total: number; open: number } {
  const total = Object.values(byStatus).reduce((sum, n) => sum + n, 0)
  return { total, open: total - byStatus.done - byStatus.cancelled }
}

const EMPTY_ROLLUP_JSON = JSON.stringify(rollupOf(new Map()))
