import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { textStream } from '../http/text-stream.ts'
import { planDeletion, continueDeletion } from './deletion.ts'
import { exportAccount, recordExport } from './export.ts'

const NDJSON_TYPE = 'application/x-ndjson'

const Resource = z.object({ id: z.string(), kind: z.string(), name: z.string() })

const Plan = z
  .object({
    email: z.string(),
    organizations: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        disposition: z
          .enum(['delete', 'leave', 'blocked'])
          .describe(
            '`delete`: you are its only member. `leave`: you do not own it; it stays. `blocked`: you own it and others are in it.',
          ),
        projectsLeft: z.int().describe('Projects to delete; 0 in an organization that stays.'),
        cloudConnected: z.boolean(),
      }),
    ),
    projectsLeft: z.int(),
    projects: z
      .array(
        z.object({
          id: z.string(),
          organizationId: z.string(),
          name: z.string(),
          resources: z.array(Resource),
        }),
      )
      .describe('The next projects only, with what they have in the cloud account.'),
    spent: z.int().describe('Milliseconds that the steps have worked so far.'),
    cleared: z.int().describe('Resources removed from the cloud account so far.'),
    failed: z
      .array(Resource.extend({ projectId: z.string(), projectName: z.string(), reason: z.string() }))
      .describe('What the provider refused to remove; the run halts there.'),
    left: z
      .array(z.object({ projectName: z.string(), name: z.string(), detail: z.string() }))
      .describe('Stays in the cloud account, because `leaveStuck` was set.'),
    deletion: z
      .object({ finishedAt: z.iso.datetime() })
      .nullable()
      .describe('Null until everything is gone.'),
  })
  .meta({ id: 'AccountDeletion' })

const Step = z.object({
  confirm: z.string().describe('The e-mail address of the account.'),
  leaveStuck: z
    .boolean()
    .optional()
    .describe('Finish although the cloud provider refuses: what it keeps is named in `left`.'),
})

export const accountRoutes = group('Account', {
  exportAccount: endpoint({
    kind: 'bytes',
    route: 'GET /account/export',
    scope: 'session',
    role: 'admin',
    needs: ['streamPool'],
    summary: 'Export everything the organization has here, as newline-delimited JSON',
    description:
      'One object a line with its `kind`: export (format and requester), organization, member, invitation, connection, api_key, webhook, ingest_source, project, ticket, help_thread, help_message, activity, and last end (count per kind). No key hash, signing secret, connection token or generated code. An export that fails midway has no `end` line. Recorded as `account.exported`; counts with the activity export toward 3 exports a minute.',
    contentType: NDJSON_TYPE,
    fails: ['rate_limited'],
    limit: { counter: 'export', per: 'organization', perMinute: 3 },
    handle: async ({ ctx, request }) => {
      const response = {
        contentType: NDJSON_TYPE,
        headers: {
          'content-disposition': `attachment; filename="account-${ctx.clock.now().toISOString().slice(0, 10)}.ndjson"`,
          'cache-control': 'no-store',
        },
      }
      // A HEAD response has no body: no data is exported, so no export is recorded.
      if (request.method === 'HEAD') return { ...response, body: '' }
      await recordExport(ctx)
      const body = await textStream(exportAccount(ctx), (err) =>
        ctx.log.error({ err, requestId: ctx.requestId }, 'export broken off'),
      )
      return { ...response, body }
    },
  }),
  readAccountDeletion: endpoint({
    route: 'GET /account/deletion',
    scope: 'session',
    withoutOrganization: true,
    summary: 'Read what deleting your account deletes, and what stays',
    description:
      'Changes nothing. `projects` lists the next projects only. Also for a person who is in no organization.',
    returns: Plan,
    handle: ({ ctx, requirePolicies }) => planDeletion(ctx, requirePolicies),
  }),
  stepAccountDeletion: endpoint({
    route: 'POST /account/deletion/step',
    scope: 'session',
    needs: ['accounts', 'buckets', 'mailer', 'metrics'],
    withoutOrganization: true,
    summary: 'Delete your account, one step at a time',
    description:
      'A step takes at most 20 seconds; repeat it until `deletion` is set. First every project of the organizations in question is deleted, with its resources; a resource that the provider refuses to remove halts the run and is listed in `failed`. Records are erased only once every project is deleted. The last step ends the session. Refused while you own an organization that has other members.',
    body: Step,
    returns: Plan,
    fails: ['conflict', 'invalid_request'],
    handle: ({ ctx, requirePolicies, body }) => continueDeletion(ctx, requirePolicies, body),
  }),
})
