import { type Expression, type Selectable, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

/**
 * The tables of people (`u`) and members (`k`), for joins in queries of other folders. Raw SQL with a type,
 * because only `server/auth` may name these tables (`npm run check`).
 */
export const USERS_AS_U = sql<Pick<Selectable<Schema['user']>, 'id' | 'name' | 'email'>>`"user"`.as('u')
export const MEMBERS_AS_K = sql<Pick<Selectable<Schema['member']>, 'userId' | 'organizationId'>>`member`.as(
  'k',
)

/** SQL of a member's e-mail address; null when the person is not a member. */
export const memberEmail = (orgId: string, userId: string) =>
  sql<string | null>`(select u.email from member m join "user" u on u.id = m."userId"
    where m."organizationId" = ${orgId} and m."userId" = ${userId})`

/** SQL of a person's e-mail address; null when there is no such person. */
export const emailOf = (userId: Expression<string | null>) =>
  sql<string | null>`(select u.email from "user" u where u.id = ${userId})`

/** SQL of a person's id, found by id or e-mail address; null when there is no such person. */
export const personOf = (idOrEmail: string) =>
  sql<string | null>`(select id from "user" where id = ${idOrEmail} or email = ${idOrEmail} limit 1)`

/**
 * SQL joins of the organization as `o`, and of a person as `u`, whose columns are null when there is no such
 * person.
 */
export const joinOrganization = (orgId: string): string => `join organization o on o.id = ${orgId}`
export const joinPerson = (userId: string): string => `left join "user" u on u.id = ${userId}`

/**
 * SQL that joins a session `t` with its person `u`, and with their membership `m` of an organization `o`. This is the session's active
 * membership, or else the one that the person joined first. `m` and `o` are null for a person without an organization. The membership is
 * read at every request, because it can end before the session does.
 */
export const SESSION_WITH_MEMBERSHIP = `"session" t
  join "user" u on u.id = t."userId"
  left join lateral (
    select "organizationId", role from "member"
    where "userId" = t."userId" and "organizationId" = coalesce(t."activeOrganizationId", "organizationId")
    order by "createdAt", id limit 1
  ) m on true
  left join organization o on o.id = m."organizationId"`

/** Like `SESSION_WITH_MEMBERSHIP`, but with one row for each membership. */
export const SESSION_WITH_MEMBERSHIPS = `"session" t
  join "user" u on u.id = t."userId"
  join "member" m on m."userId" = t."userId"
  join organization o on o.id = m."organizationId"`

/** The columns of a session and its person, for the two joins above. */
export const SESSION_COLUMNS = `t.token, t.id, t."userId" as user_id, t."createdAt" as created_at,
  t."expiresAt" as expires_at, u."twoFactorEnabled" as two_factor, m.role,
  exists (select from "ssoProvider" x where x."providerId" = t."ssoProviderId" and x."organizationId" = o.id
    and x."domainVerified") as through_sso`

/** SQL of a condition: one of `names` is the id or the slug of the organization `o`, or the id of an invitation to this organization. */
export const isNamed = (names: string): string =>
  `(o.id = any(${names}) or o.slug = any(${names})
    or o.id in (select "organizationId" from "invitation" where id = any(${names})))`
