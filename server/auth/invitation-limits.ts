import type { CounterSource } from '../lib/counter.ts'
import type { Db } from '../db/database.ts'

const HOUR_SECONDS = 3600

export interface InvitationRequest {
  organizationId: string
  inviterId: string
  email: string
}

/**
 * Limits invitation mails per recipient and per inviter, both over all organizations, and per organization.
 * Throws `rate_limited` beyond a limit.
 */
export function invitationLimits(counters: CounterSource) {
  const recipient = counters.open({ name: 'invitations to', points: 5, seconds: 24 * HOUR_SECONDS })
  const inviter = counters.open({ name: 'invitations by', points: 50, seconds: HOUR_SECONDS })
  const organization = counters.open({ name: 'invitations of', points: 50, seconds: HOUR_SECONDS })
  return async ({ organizationId, inviterId, email }: InvitationRequest): Promise<void> => {
    await inviter.spend(inviterId)
    await organization.spend(organizationId)
    await recipient.spend(email.toLowerCase())
  }
}

/** Returns whether a member has the right to invite people. Without this check, anyone could use up the organization's limit. */
export async function mayInvite(db: Db, { organizationId, inviterId }: InvitationRequest): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', inviterId)
    .executeTakeFirst()
  return row !== undefined && row.role !== 'member'
}
