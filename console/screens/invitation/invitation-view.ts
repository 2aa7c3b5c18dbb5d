import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { Invitation } from '@slipway/sdk/client/types.gen.ts'
import { invitationText as words } from '../../text/invitation.en.ts'

interface Note {
  title: string
  lead: string
}

/** What the page says of an invitation that cannot be accepted (any more); null for one that can. */
export function describeSpent(status: Invitation['status']): Note | null {
  return status === 'pending' ? null : words.states[status]
}

/** `ada invites you as a member: …`; a role this console does not know is named as it is. */
export const describeOffer = ({ inviter, role }: Invitation) =>
  words.lead(inviter.name, words.roles[role] ?? words.otherRole(role))

const REFUSALS: Record<string, Note> = {
  you_are_not_the_recipient_of_the_invitation: words.forAnother,
  email_verification_required_before_accepting_or_rejecting_invitation: words.unverified,
}

/** A refusal of accepting or declining that is a state of its own; null for one that is shown as a failure. */
export const describeRefusal = (error: unknown): Note | null =>
  error instanceof SlipwayError ? (REFUSALS[error.code] ?? null) : null
