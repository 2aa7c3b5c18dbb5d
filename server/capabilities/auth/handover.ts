import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { findMember, findPerson } from '../../auth/people.ts'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordCallerChange } from '../../activity/log.ts'
import { ApiError, conflict, notFound } from '../../http/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import type { ProjectRow } from '../../projects/store.ts'
import { appName } from '../../resource-names.ts'
import { operatorSigner } from '../operator/call.ts'

const TOKEN_SECONDS = 45
const HANDOVER_PATH = '/_app/auth/handover'

/** A member of the organization who opens the live app at this address is already signed in. */
export const Handover = z.object({
  url: z.url().describe('For one use within a minute. The part after # is never sent to a server.'),
})

/**
 * Returns the address at which the caller enters the live app as staff. The token in the address contains the person's
 * id, email address and name. The app's Durable Objects verify the token and accept it once.
 */
export async function makeHandover(
  ctx: Context<'accounts'>,
  project: ProjectRow,
): Promise<z.output<typeof Handover>> {
  const { userId } = ctx.caller
  if (project.lifecycle !== 'live' || project.url === null)
    throw conflict('The app is not live. Ship the project first.')
  const person = userId === null ? null : await findPerson(ctx.db, userId)
  if (person === null) throw notFound('person')
  // A member who was just removed may still have a cached session, so read the membership.
  if (!(await isMember(ctx, person.id)))
    throw new ApiError('forbidden', 'You are no member of this organization.')
  const token = operatorSigner(ctx, project).sign({
    use: 'handover',
    aud: appName(project, 'production'),
    tier: 'production',
    member: person.id,
    email: person.email,
    emailVerified: person.emailVerified,
    name: person.name,
    // The app's Durable Objects compare this time with the system clock, so a test clock cannot be used.
    exp: Math.floor(systemClock.now().getTime() / 1000) + TOKEN_SECONDS,
    jti: randomUUID(),
  })
  await recordCallerChange(ctx, ctx.db, {
    action: 'app_user.handover',
    target: project.slug,
    projectId: project.id,
    projectName: project.name,
  })
  return { url: `${project.url}${HANDOVER_PATH}#${token}` }
}

const isMember = async ({ db, caller }: CallerContext<'db'>, userId: string): Promise<boolean> =>
  (await findMember(db, caller.organizationId, { userId })) !== null
