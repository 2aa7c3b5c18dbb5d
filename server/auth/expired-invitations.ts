import type { Db } from '../db/database.ts'

/**
 * Closes the expired open invitations of an address just before a new invitation is stored. By then the auth library
 * has cancelled the valid invitations. The library ignores expired invitations, which the service's unique index still
 * counts as open.
 */
export async function endExpiredInvitations(
  db: Db,
  invitation: { organizationId: string; email: string },
): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ status: 'canceled' })
    .where('organizationId', '=', invitation.organizationId)
    .where((eb) => eb.fn<string>('lower', ['email']), '=', invitation.email.toLowerCase())
    .where('status', '=', 'pending')
    .execute()
}
