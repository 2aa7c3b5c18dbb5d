import type { CallerContext } from '../endpoint.ts'
import { encodeCursor, decodeCursor } from '../http/query.ts'
import { loadProject } from '../projects/projects.ts'
import { presentMessage } from './message.ts'

/** Returns a page of messages, newest first, without a reply that is still being written. */
export async function listMessages(
  ctx: CallerContext<'db'>,
  projectId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, 'msg')
  await loadProject(ctx, projectId)
  const said = ctx.db
    .selectFrom('plan_messages')
    .where('org_id', '=', ctx.caller.organizationId)
    .where('project_id', '=', projectId)
    .where('status', '!=', 'running')
  const [rows, { total }] = await Promise.all([
    said
      .selectAll()
      .$if(after !== null, (page) =>
        page.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(after?.at ?? new Date(0), after?.id ?? '')),
        ),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .execute(),
    said.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const items = rows.slice(0, query.limit)
  const last = rows.length > query.limit ? items.at(-1) : undefined
  const nextCursor = last === undefined ? null : encodeCursor({ at: last.created_at, id: last.id })
  return { items: items.map(presentMessage), nextCursor, total }
}
