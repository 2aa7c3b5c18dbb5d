import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { Invitation } from '@slipway/sdk/client/types.gen.ts'
import { invitationText as words } from '../../text/invitation.en.ts'
import { entryOf } from '../../lib/fields.ts'

interface InvitationNote {
  title: string
  lead: string
}

/** Returns the note that says why an invitation can no longer be accepted, or null while it can be accepted. */
export function closedInvitationNote(status: Invitation['status']): InvitationNote | null {
  return status === 'pending' ? null : words.states[status]
}

/** Returns “ada invites you as a member: …”. An unknown role is shown by its name. */
export const describeInvitation = ({ inviter, role }: Invitation) =>
  words.lead(inviter.name, entryOf(words.roles, role) ?? words.otherRole(role))

const REFUSAL_NOTES: Record<string, InvitationNote> = {
  you_are_not_the_recipient_of_the_invitation: words.forAnother,
  email_verification_required_before_accepting_or_rejecting_invitation: words.unverified,
}

/**
 * Returns the text to show when the service refuses to accept or decline an invitation for this user. Returns null for any other error,
 * which the page shows as a failure.
 */
export const describeRefusal = (error: unknown): InvitationNote | null =>
  error instanceof SlipwayError ? (REFUSAL_NOTES[error.code] ?? null) : null
