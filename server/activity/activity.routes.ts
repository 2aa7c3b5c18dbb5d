import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { cursorParam, limitParam } from '../http/query.ts'
import { textStream } from '../http/text-stream.ts'
import { exportActivity, listActivity } from './activity.ts'

const MILLISECONDS_MAX = 999_999_999_999_999

const millisecondsParam = z
  .string()
  .regex(/^\d{1,15}$/, 'must be whole milliseconds since 1970')
  .transform(Number)
  .meta({ wire: { type: 'integer', minimum: 0, maximum: MILLISECONDS_MAX } })

const Filter = z.object({
  projectId: z
    .string()
    .max(200)
    .optional()
    .describe('Only this project. The log outlives projects, so any id may be asked for.'),
  from: millisecondsParam.optional().describe('Not before this time, in milliseconds since 1970, inclusive.'),
  to: millisecondsParam.optional().describe('Not after this time, in milliseconds since 1970, inclusive.'),
})

export const ActivityRecord = z
  .object({
    id: z.string(),
    when: z.iso.datetime(),
    provider: z.enum(['cloudflare', 'github', 'stripe', 'slipway']),
    actor: z.string(),
    action: z.string(),
    target: z.string(),
    status: z.enum(['ok', 'failed']),
    project: z.string().nullable().describe('Its name at that time.'),
    projectId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'ActivityRecord' })

export const activityRoutes = group('Account activity', {
  listActivity: endpoint({
    route: 'GET /activity',
    scope: 'projects:read',
    needs: ['pool'],
    summary: 'List the changes in connected accounts, newest first',
    description: 'Each bound applies by itself, so a `from` after `to` returns nothing.',
    query: Filter.extend({ limit: limitParam(200).default(50), cursor: cursorParam.optional() }),
    returns: z.object({ items: z.array(ActivityRecord), nextCursor: z.string().nullable() }),
    handle: ({ ctx, query }) => listActivity(ctx, query),
  }),
  exportActivity: endpoint({
    kind: 'bytes',
    route: 'GET /activity/export',
    scope: 'projects:read',
    needs: ['streamPool'],
    summary: 'Export the log as CSV: every matching record, newest first',
    description:
      'Columns: when, provider, actor, action, target, status, project, detail. A field that a spreadsheet would take for a formula begins with an apostrophe. Counts with the account export toward 3 exports a minute.',
    query: Filter,
    contentType: 'text/csv; charset=utf-8',
    fails: ['rate_limited'],
    limit: { counter: 'export', per: 'organization', perMinute: 3 },
    handle: async ({ ctx, query, request }) => ({
      // A HEAD response has no body, so the query is not opened.
      body:
        request.method === 'HEAD'
          ? ''
          : await textStream(exportActivity(ctx, query), (err) =>
              ctx.log.error({ err, requestId: ctx.requestId }, 'export broken off'),
            ),
      contentType: 'text/csv; charset=utf-8',
      headers: {
        'content-disposition': `attachment; filename="activity-${ctx.clock.now().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
      },
    }),
  }),
})
