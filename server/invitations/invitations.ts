import { findInvitation } from '../auth/people.ts'
import { notFound } from '../http/errors.ts'
import type { Core } from '../platform.ts'

export const INVITATION_STATUSES = ['pending', 'accepted', 'rejected', 'cancelled', 'expired'] as const
type InvitationStatus = (typeof INVITATION_STATUSES)[number]

/** Maps the states of an invitation in the auth library to those of the public API. */
const STATUS_OF: Record<string, InvitationStatus> = {
  pending: 'pending',
  accepted: 'accepted',
  rejected: 'rejected',
  canceled: 'cancelled',
}

/**
 * Returns the data that everyone with the invitation's link may see before signing in. E-mail addresses are left out,
 * because a link can be forwarded or guessed.
 */
export async function readInvitation(ctx: Core, id: string) {
  const row = await findInvitation(ctx.db, id)
  const status = STATUS_OF[row?.status ?? '']
  if (row === null || status === undefined) throw notFound('invitation')
  const isOver = status === 'pending' && row.expiresAt <= ctx.clock.now()
  return {
    organization: { name: withoutAddresses(row.organization) },
    inviter: { name: withoutAddresses(row.inviter) },
    role: row.role ?? 'member',
    status: isOver ? ('expired' as const) : status,
  }
}

/**
 * Removes the domains of e-mail addresses from a name: the name of a person, or of the
 * organization created at their sign-up, sometimes contains their e-mail address.
 */
const withoutAddresses = (name: string): string => name.replaceAll(/@[^\s@]+/g, '')
