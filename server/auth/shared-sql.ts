import { type Expression, type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'

/** The people as `u` and the members as `k`, to be joined in the query builder. Planned like the tables themselves. */
export const PEOPLE = sql<Pick<Selectable<Schema['user']>, 'id' | 'name' | 'email'>>`"user"`.as('u')
export const MEMBERS = sql<Pick<Selectable<Schema['member']>, 'userId' | 'organizationId'>>`member`.as('k')

/** The expression is null when the person is no member. */
export const memberEmail = (orgId: string, userId: string) =>
  sql<string | null>`(select u.email from member m join "user" u on u.id = m."userId"
    where m."organizationId" = ${orgId} and m."userId" = ${userId})`

/** The expression is null when there is no such person. */
export const emailOf = (userId: Expression<string | null>) =>
  sql<string | null>`(select u.email from "user" u where u.id = ${userId})`

/** Takes an id or an address; null when there is no such person. */
export const personOf = (idOrEmail: string) =>
  sql<string | null>`(select id from "user" where id = ${idOrEmail} or email = ${idOrEmail} limit 1)`

/** Keeps a membership from ending until the transaction ends; returns false when it has ended. */
export async function lockMembership(trx: Trx, orgId: string, userId: string | null): Promise<boolean> {
  const row = await trx
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** The organization as `o` and the person as `u`, who may be missing. */
export const joinOrganization = (orgId: string): string => `join organization o on o.id = ${orgId}`
export const joinPerson = (userId: string): string => `left join "user" u on u.id = ${userId}`

/**
 * SQL of a session `t`, its person `u`, and their membership `m` of the session's organization `o`, else of the oldest;
 * both null without one. Read each time, because the session's active organization outlives the membership.
 */
export const SESSION_WITH_MEMBERSHIP = `"session" t
  join "user" u on u.id = t."userId"
  left join lateral (
    select "organizationId", role from "member"
    where "userId" = t."userId" and "organizationId" = coalesce(t."activeOrganizationId", "organizationId")
    order by "createdAt", id limit 1
  ) m on true
  left join organization o on o.id = m."organizationId"`

/** As `SESSION_WITH_MEMBERSHIP`, with a row for each membership. */
export const SESSION_WITH_MEMBERSHIPS = `"session" t
  join "user" u on u.id = t."userId"
  join "member" m on m."userId" = t."userId"
  join organization o on o.id = m."organizationId"`

/** SQL of a condition: one of `names` is the id or the slug of `o`, or the id of an invitation to it. */
export const isNamed = (names: string): string =>
  `(o.id = any(${names}) or o.slug = any(${names})
    or o.id in (select "organizationId" from "invitation" where id = any(${names})))`

/** The session's own requests fail from the next one on. */
export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute()
}
