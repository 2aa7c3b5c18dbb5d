import * as z from 'zod'
import { preparedQuery } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { RawJson } from '../http/endpoint.ts'
import { isoTime } from '../lib/sql-json.ts'
import { IS_ACTIVE, joinProject } from '../sql/projects.ts'
import { joinTicket } from '../sql/tickets.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const ENDED_RUNS_SINCE_MS = 7 * DAY_MS
// These bound the query for a busy organization: only its newest builds are considered.
const ENDED_RUNS_MAX = 200
const ASKING_RUNS_MAX = 1000

export const Attention = z
  .object({
    items: z.array(
      z.object({
        projectId: z.string(),
        projectName: z.string(),
        ticketId: z.string(),
        title: z.string(),
        runId: z.string(),
        state: z
          .enum(['asking', 'failed', 'built', 'replied'])
          .describe('Asking and failed need a person until the ticket is built again, done or put back.'),
        at: z.iso.datetime(),
      }),
    ),
  })
  .meta({ id: 'Attention' })

const RUN_COLUMNS = 'id, org_id, project_id, ticket_id, status, outcome, created_at, started_at, finished_at'

// Each of the two parts of the query uses its own index. Few builds wait for an answer, because a build whose question was answered no
// longer has the status `awaiting`.
export const SELECT_ATTENTION = `
  select coalesce(json_agg(x order by x.at desc), '[]')::text as items from (
    select r.project_id as "projectId", p.name as "projectName", t.id as "ticketId", t.title, r.id as "runId",
      case r.status when 'awaiting' then 'asking' when 'failed' then 'failed'
        else case r.outcome when 'built' then 'built' else 'replied' end end as state,
      ${isoTime('coalesce(r.finished_at, r.started_at, r.created_at)')} as at
    from (
      (select ${RUN_COLUMNS} from runs
        where org_id = :orgId and status = 'awaiting'
        order by created_at desc limit ${ASKING_RUNS_MAX})
      union all
      (select ${RUN_COLUMNS} from runs
        where org_id = :orgId and created_at > :since and status in ('failed', 'succeeded')
        order by created_at desc limit ${ENDED_RUNS_MAX})
    ) r
    ${joinProject('r')}
    ${joinTicket('r')}
    where not exists (
        select from runs newer
        where newer.ticket_id = r.ticket_id and (newer.created_at, newer.id) > (r.created_at, r.id)
      )
      and not exists (
        select from build_queue q where q.project_id = r.project_id and q.ticket_id = r.ticket_id
      )
      and t.status in ('in_progress', 'in_review')
      and ${IS_ACTIVE}
  ) x`
const selectAttention = preparedQuery<{ items: string }, { orgId: string; since: Date }>(
  'attention',
  SELECT_ATTENTION,
)

/**
 * Returns the builds that wait for an answer and the builds of the last seven days that failed or succeeded, newest first. Leaves
 * out a build whose ticket has a newer build, is queued again, is done or was put back. Leaves out builds of a project that cannot
 * be built.
 */
export async function listAttention(ctx: Context<'pool'>): Promise<RawJson> {
  const since = new Date(ctx.clock.now().getTime() - ENDED_RUNS_SINCE_MS)
  const [row] = await selectAttention(ctx.pool, { orgId: ctx.caller.organizationId, since })
  return new RawJson(`{"items":${row?.items ?? '[]'}}`)
}
