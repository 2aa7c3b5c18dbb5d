import { endpoint, group } from '../http/endpoint.ts'
import { textStream } from '../http/text-stream.ts'
import { exportAccount, recordExport } from './export.ts'

const NDJSON = 'application/x-ndjson'

export const accountRoutes = group('Account', {
  exportAccount: endpoint({
    kind: 'bytes',
    route: 'GET /account/export',
    scope: 'session',
    role: 'admin',
    summary: 'Everything the organization has here, as newline-delimited JSON',
    description:
      'One object a line with its `kind`: export (format and requester), organization, member, invitation, connection, api_key, webhook, ingest_source, project, ticket, help_thread, help_message, activity, and last end (count per kind). No key hash, signing secret, connection token or generated code. An export that fails midway has no `end` line. Recorded as `account.exported`; counts with the activity export toward 3 exports a minute.',
    contentType: NDJSON,
    fails: ['rate_limited'],
    limit: { counter: 'export', per: 'organization', perMinute: 3 },
    handle: async ({ ctx, request }) => {
      const answer = {
        contentType: NDJSON,
        headers: {
          'content-disposition': `attachment; filename="account-${ctx.clock.now().toISOString().slice(0, 10)}.ndjson"`,
          'cache-control': 'no-store',
        },
      }
      // The body of a HEAD response is never read: nothing leaves, so nothing is recorded.
      if (request.method === 'HEAD') return { ...answer, body: '' }
      await recordExport(ctx)
      const body = await textStream(exportAccount(ctx), (err) =>
        ctx.log.error({ err, requestId: ctx.requestId }, 'export broken off'),
      )
      return { ...answer, body }
    },
  }),
})
