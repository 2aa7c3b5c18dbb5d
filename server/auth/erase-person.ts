import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * What happens to an organization when the account of a member is deleted. `delete`: the person is its only member.
 * `blocked`: the person owns it and it has other members. `leave`: every other case.
 */
export interface Membership {
  id: string
  name: string
  disposition: 'delete' | 'leave' | 'blocked'
}

/** Returns the person's memberships, the oldest first. */
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

/** Cancels the open invitations of organizations, because otherwise a person could join an organization during its deletion. */
export async function cancelInvitations(db: Db, orgIds: readonly string[]): Promise<void> {
  if (orgIds.length === 0) return
  await db
    .updateTable('invitation')
    .set({ status: 'canceled' })
    .where('organizationId', 'in', orgIds)
    .where('status', '=', 'pending')
    .execute()
}

/** Locks the person's row until the transaction ends. Returns false when there is no such person. */
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
 * Locks organizations, so that no member can join and no project can be created until the transaction ends.
 * Locks in the order of the ids, so that two transactions cannot deadlock.
 */
export async function lockOrganizationRows(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.selectFrom('organization').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Deletes organizations. Foreign keys delete all other rows that belong to them. */
export async function deleteOrganizations(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('organization').where('id', 'in', ids).execute()
}

/**
 * Deletes a person with their sessions, memberships and credentials. The invitations that the person sent would be
 * deleted too, so another member of the organization first becomes their inviter: an owner if there is one.
 */
export async function deletePerson(trx: Trx, person: { id: string; email: string }): Promise<void> {
  await sql`
    update invitation i set "inviterId" = (
      select m."userId" from member m where m."organizationId" = i."organizationId" and m."userId" <> ${person.id}
      order by 'owner' = any(string_to_array(m.role, ',')) desc, m."createdAt", m.id limit 1
    ) where i."inviterId" = ${person.id}`.execute(trx)
  await sql`delete from invitation where lower(email) = lower(${person.email})`.execute(trx)
  // Rows for trusted devices and password resets have no foreign key; they name the person in these columns.
  await sql`delete from verification
    where value ~ ${wholeWord(person.id)} or identifier ~* ${wholeWord(person.email)}`.execute(trx)
  await trx.deleteFrom('user').where('id', '=', person.id).execute()
}

/** Returns a regular expression of Postgres that finds this id or address, but not as a part of a longer one. */
const wholeWord = (word: string): string =>
  `(^|[^[:alnum:]._+])${word.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)}($|[^[:alnum:].])`
