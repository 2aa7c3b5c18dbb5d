import * as z from 'zod'
import type { RequestContext } from '../../endpoint.ts'
import type { PlatformPorts } from '../../platform.ts'
import { callOperator, type OperatedProject } from '../operator/call.ts'

export const ListedMail = z.object({
  id: z.string(),
  kind: z
    .enum(['app', 'auth', 'invitation', 'notice'])
    .describe(
      'Who wrote it: the code of the app, or Slipway for signing in, into a team, or about new mail.',
    ),
  to: z.array(z.string()),
  subject: z.string().nullable().describe('Null for a message of sign-in: it may hold a code.'),
  state: z
    .enum(['kept', 'waiting', 'sent', 'failed'])
    .describe(
      '`waiting` is sent as soon as it can be; `failed` was given up; `kept` is a message of sign-in from a time when email was off, and is never sent.',
    ),
  attempts: z.int(),
  error: z.string().nullable().describe('Why the last attempt failed.'),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
})

export const readMails = (ctx: PlatformPorts<'accounts'>, project: OperatedProject, limit: number) =>
  callOperator(ctx, project, {
    tier: 'production',
    method: 'GET',
    path: `/email/mails?limit=${limit}`,
    result: z.array(ListedMail),
  })

/** The app itself retries within minutes, so a longer wait has no benefit. */
const RESUME_MS = 5_000

/**
 * Asks the app to send the mail that waited for a verified domain. Does not throw, because the app itself sends the
 * mail later in any case.
 */
export async function resumeMails(ctx: RequestContext<'accounts'>, project: OperatedProject): Promise<void> {
  try {
    await callOperator(ctx, project, {
      tier: 'production',
      method: 'POST',
      path: '/email/resume',
      repeatable: true,
      signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(RESUME_MS)]),
      result: z.null(),
    })
  } catch (error) {
    ctx.log.warn({ err: error, project: project.id }, 'waiting mail could not be resumed')
  }
}
