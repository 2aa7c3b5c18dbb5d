import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { Invitation } from '@slipway/sdk/client/types.gen.ts'
import { invitationText as words } from '../../text/invitation.en.ts'

interface Note {
  title: string
  lead: string
}

/** The explanation of an invitation that cannot be accepted (any more); null for one that can. */
export function describeSpent(status: Invitation['status']): Note | null {
  return status === 'pending' ? null : words.states[status]
}

/** `ada invites you as a member: …`; an unknown role is shown by its name. */
export const describeOffer = ({ inviter, role }: Invitation) =>
  words.lead(inviter.name, words.roles[role] ?? words.otherRole(role))

const REFUSALS: Record<string, Note> = {
  you_are_not_the_recipient_of_the_invitation: words.forAnother,
  email_verification_required_before_accepting_or_rejecting_invitation: words.unverified,
}

/** The explanation of an error on accepting or declining; null when it is shown as a failure. */
export const describeRefusal = (error: unknown): Note | null =>
  error instanceof SlipwayError ? (REFUSALS[error.code] ?? null) : null
