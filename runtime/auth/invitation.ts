import { type Objects, partitionOf, type Tier } from '../kernel/objects/objects.ts'
import { parseInviteToken } from './invite-token.ts'

type InvitationKind = 'admits' | 'claim'

/**
 * Calls the Durable Object of the team that the invitation token contains. Returns false when the text is not
 * an invitation token.
 */
async function callTeam(
  context: { objects: Objects; tier: Tier },
  kind: InvitationKind,
  { token, email }: { token: unknown; email: string },
): Promise<boolean> {
  const invite = parseInviteToken(token)
  if (invite === null) return false
  const team = partitionOf(context.objects, context.tier, invite.team)
  const answer = await team.team(kind, { secret: invite.secret, email })
  return answer.ok && answer.value
}

/** Returns whether an invitation admits a new account with this address. Asks the team, because the browser's claim proves nothing. */
export const isInvited = (
  context: { objects: Objects; tier: Tier },
  token: unknown,
  email: string,
): Promise<boolean> => callTeam(context, 'admits', { token, email })

/**
 * Reserves an invitation for the account with this address, so that one link creates one account. Returns false when the invitation is no
 * longer open for that address. Idempotent.
 */
export const claimInvitation = (
  context: { objects: Objects; tier: Tier },
  token: unknown,
  email: string,
): Promise<boolean> => callTeam(context, 'claim', { token, email })
