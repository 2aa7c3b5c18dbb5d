import type { ExportedTable } from '../lib/exported.ts'
import { readCursor } from '../db/read-cursor.ts'
import type { Context } from '../endpoint.ts'
import { RawJson } from '../http/endpoint.ts'
import { decodeCursor, encodeCursor } from '../http/query.ts'
import { isoTime } from '../lib/sql-json.ts'
import { type CsvRow, csvText } from './csv.ts'

/** Filters the log by project, or by time (milliseconds since the epoch, inclusive). */
export interface ActivityFilter {
  projectId?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** The columns in the order that the API documents. */
const CSV_COLUMNS = ['when', 'provider', 'actor', 'action', 'target', 'status', 'project', 'detail']

const RECORDED_AT = isoTime('at')
const ACTIVITY_JSON = `json_build_object('id', id, 'when', ${RECORDED_AT}, 'provider', provider, 'actor', actor,
  'action', action, 'target', target, 'status', status, 'project', project_name, 'projectId', project_id,
  'detail', detail)::text`
// Both indexes of the table end with these columns, so a page or a whole export reads one index in order and never sorts.
const NEWEST_FIRST = 'order by at desc, id desc'

/** Returns a page of records, the newest first, with the cursor of the next page. */
export async function listActivity(
  ctx: Context<'pool'>,
  query: ActivityFilter & { limit: number; cursor?: string | undefined },
): Promise<RawJson> {
  const { conditions, params } = conditionsOf(ctx.caller.organizationId, query)
  if (query.cursor !== undefined) {
    const after = decodeCursor(query.cursor, 'act')
    params.push(after.at, after.id)
    conditions.push(`(at, id) < ($${params.length - 1}, $${params.length})`)
  }
  params.push(query.limit + 1)
  const { rows } = await ctx.pool.query<{ id: string; at: Date; data: string }>(
    `select id, at, ${ACTIVITY_JSON} as data from activity where ${conditions.join(' and ')}
     ${NEWEST_FIRST} limit $${params.length}`,
    params,
  )
  const items = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? items.at(-1) : undefined
  const nextCursor = last === undefined ? null : encodeCursor(last)
  return new RawJson(
    `{"items":[${items.map((row) => row.data).join(',')}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  )
}

/** Yields the whole log as CSV, newest first, in pieces that are read from the database as fast as the consumer takes them. */
export async function* exportActivity(
  ctx: Context<'streamPool'>,
  filter: ActivityFilter,
): AsyncGenerator<string> {
  const { conditions, params } = conditionsOf(ctx.caller.organizationId, filter)
  const batches = readCursor<CsvRow>(
    ctx.streamPool,
    `select ${RECORDED_AT}, provider, actor, action, target, status, project_name, detail
     from activity where ${conditions.join(' and ')} ${NEWEST_FIRST}`,
    params,
    { texts: true },
  )
  let head = csvText([CSV_COLUMNS])
  for await (const rows of batches) {
    yield head + csvText(rows)
    head = ''
  }
  if (head !== '') yield head
}

function conditionsOf(
  orgId: string,
  filter: ActivityFilter,
): { conditions: string[]; params: (string | number | Date)[] } {
  const conditions = ['org_id = $1']
  const params: (string | number | Date)[] = [orgId]
  const addCondition = (condition: string, value: string | Date) => {
    params.push(value)
    conditions.push(`${condition} $${params.length}`)
  }
  if (filter.projectId !== undefined) addCondition('project_id =', filter.projectId)
  if (filter.from !== undefined) addCondition('at >=', new Date(filter.from))
  if (filter.to !== undefined) addCondition('at <=', new Date(filter.to))
  return { conditions, params }
}

export const EXPORTED_ACTIVITY: ExportedTable = {
  fields: {
    id: 'id',
    when: RECORDED_AT,
    provider: 'provider',
    actor: 'actor',
    action: 'action',
    target: 'target',
    status: 'status',
    project: 'project_name',
    projectId: 'project_id',
    detail: 'detail',
  },
  from: `activity where org_id = $1 ${NEWEST_FIRST}`,
}
