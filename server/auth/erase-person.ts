import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * What the deletion of an account means for an organization: `delete`, when the person is its only member;
 * `blocked`, when they own it and others are in it; otherwise they `leave`.
 */
export interface Membership {
  id: string
  name: string
  disposition: 'delete' | 'leave' | 'blocked'
}

/** Returns the oldest membership first. */
export async function listMemberships(db: Db | Trx, userId: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select o.id, o.name, case
      when not exists (select from member x where x."organizationId" = o.id and x."userId" <> m."userId") then 'delete'
      when 'owner' = any(string_to_array(m.role, ',')) then 'blocked'
      else 'leave' end as disposition
    from member m join organization o on o.id = m."organizationId"
    where m."userId" = ${userId} order by m."createdAt", m.id`.execute(db)
  return rows
}

/** Otherwise an invitation that is open could bring another member in while the organization is deleted. */
export async function cancelInvitations(db: Db, orgIds: readonly string[]): Promise<void> {
  if (orgIds.length === 0) return
  await db
    .updateTable('invitation')
    .set({ status: 'canceled' })
    .where('organizationId', 'in', orgIds)
    .where('status', '=', 'pending')
    .execute()
}

/** Locks the row until the transaction ends. Returns false when the person is gone. */
export async function lockPerson(trx: Trx, userId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('user')
    .select('id')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Until the transaction ends no member joins and no project is made. Locks in the order of the ids, so that
 * two transactions cannot wait for each other.
 */
export async function lockOrganizationRows(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.selectFrom('organization').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Foreign keys delete everything that refers to these organizations. */
export async function deleteOrganizations(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('organization').where('id', 'in', ids).execute()
}

/**
 * Deletes a person with sessions, memberships and ways to sign in. Invitations that others depend on go to an
 * owner of the organization first, because they would be deleted with the person who sent them.
 */
export async function deletePerson(trx: Trx, person: { id: string; email: string }): Promise<void> {
  await sql`
    update invitation i set "inviterId" = (
      select m."userId" from member m where m."organizationId" = i."organizationId" and m."userId" <> ${person.id}
      order by 'owner' = any(string_to_array(m.role, ',')) desc, m."createdAt", m.id limit 1
    ) where i."inviterId" = ${person.id}`.execute(trx)
  await sql`delete from invitation where lower(email) = lower(${person.email})`.execute(trx)
  // Trusted devices and links for a new password name their person here.
  await sql`delete from verification
    where strpos(value, ${person.id}) > 0 or strpos(identifier, ${person.email}) > 0`.execute(trx)
  await trx.deleteFrom('user').where('id', '=', person.id).execute()
}
