import type { Db } from '../db/database.ts'

/**
 * Closes the expired open invitations of an address just before a new one is stored. The auth library has
 * cancelled the valid ones by then. It ignores expired ones, which the unique index of the service still counts as open.
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
