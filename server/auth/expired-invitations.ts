import type { Db } from '../db/database.ts'

/**
 * Ends what is left open of earlier invitations for an address, just before a new one is stored. The library has
 * ended the valid one by then and overlooks those whose time is over, which our index still counts as open.
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
