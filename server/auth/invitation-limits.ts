import type { CounterSource } from '../lib/counter.ts'
import type { Db } from '../db/database.ts'

const HOUR_SECONDS = 3600

/** Who sends an invitation to whom. */
export interface Sending {
  organizationId: string
  inviterId: string
  email: string
}

/**
 * Counts the mails that invite: per recipient whatever the organization, since each goes to a person who may know none of
 * the people here, per inviter whatever the organization, and per organization. Past one `rate_limited` is thrown.
 */
export function invitationLimits(counters: CounterSource) {
  const recipient = counters.open({ name: 'invitations to', points: 5, seconds: 24 * HOUR_SECONDS })
  const inviter = counters.open({ name: 'invitations by', points: 50, seconds: HOUR_SECONDS })
  const organization = counters.open({ name: 'invitations of', points: 50, seconds: HOUR_SECONDS })
  return async ({ organizationId, inviterId, email }: Sending): Promise<void> => {
    await inviter.spend(inviterId)
    await organization.spend(organizationId)
    await recipient.spend(email.toLowerCase())
  }
}

/** Whether this person may invite into the organization: an attempt of anybody else uses up nothing. */
export async function mayInvite(db: Db, { organizationId, inviterId }: Sending): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('role')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', inviterId)
    .executeTakeFirst()
  return row !== undefined && row.role !== 'member'
}
