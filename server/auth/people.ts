import { type Expression, sql, type SqlBool } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import { endTrustedDevices } from './trusted-devices.ts'

export async function hasPeople(db: Db): Promise<boolean> {
  return (await db.selectFrom('user').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Finds a member of this organization by membership id or user id. Returns null when there is no such member. */
export async function findMember(
  db: Db | Trx,
  orgId: string,
  by: { id: string } | { userId: string },
): Promise<{ userId: string; role: string } | null> {
  const row = await db
    .selectFrom('member')
    .select(['userId', 'role'])
    .where('organizationId', '=', orgId)
    .where((eb) => eb.and(by))
    .executeTakeFirst()
  return row ?? null
}

/** Returns a person; null when there is none with this id. `isVerified` says whether the e-mail address was confirmed. */
export async function findPerson(db: Db | Trx, id: string) {
  const row = await db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'emailVerified'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function organizationName(db: Db | Trx, orgId: string): Promise<string> {
  const { name } = await db
    .selectFrom('organization')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow()
  return name
}

/** Returns names by organization id. Organizations that no longer exist are left out. */
export async function organizationNames(
  db: Db | Trx,
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (orgIds.length === 0) return new Map()
  const rows = await db.selectFrom('organization').select(['id', 'name']).where('id', 'in', orgIds).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Ends every session of every member and the trust in their devices, so that each must sign in again with the second factor. */
export async function endAllSessions(trx: Trx, orgId: string): Promise<void> {
  const members = await trx
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', orgId)
    .execute()
  const userIds = members.map(({ userId }) => userId)
  await trx.deleteFrom('session').where('userId', 'in', userIds).execute()
  await endTrustedDevices(trx, userIds)
}

/** Ends the sessions that were started through this identity provider, and unlinks the provider's accounts. */
export async function endSessionsOfProvider(trx: Trx, providerId: string): Promise<void> {
  await trx.deleteFrom('account').where('providerId', '=', providerId).execute()
  await trx.deleteFrom('session').where('ssoProviderId', '=', providerId).execute()
}

/** Returns every organization with its number of members, the oldest first. */
export async function listAllOrganizations(
  db: Db | Trx,
): Promise<{ id: string; name: string; members: number }[]> {
  return await db
    .selectFrom('organization as o')
    .select(['o.id', 'o.name'])
    .select((eb) =>
      eb
        .selectFrom('member as m')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('m.organizationId', '=', 'o.id')
        .$asScalar()
        .$notNull()
        .as('members'),
    )
    .orderBy('o.createdAt')
    .orderBy('o.id')
    .execute()
}

/** Locks the organization's row until the transaction ends. Returns null when there is no such organization. */
export async function lockOrganizationRow(
  trx: Trx,
  id: string,
): Promise<{ id: string; name: string } | null> {
  const row = await trx
    .selectFrom('organization')
    .select(['id', 'name'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export const isDeletedOrganization = (id: Expression<string>) =>
  sql<SqlBool>`not exists (select from organization o where o.id = ${id})`

/** Returns an invitation with the names of its organization and its inviter. Returns null when there is none. */
export async function findInvitation(db: Db, id: string) {
  const row = await db
    .selectFrom('invitation as i')
    .innerJoin('organization as o', 'o.id', 'i.organizationId')
    .innerJoin('user as u', 'u.id', 'i.inviterId')
    .select(['i.role', 'i.status', 'i.expiresAt', 'o.name as organization', 'u.name as inviter'])
    .where('i.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}
