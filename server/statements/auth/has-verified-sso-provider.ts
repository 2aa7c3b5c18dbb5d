import type { Db, Trx } from '../../db/database.ts'

/** Returns whether the organization has an identity provider whose domain is verified. */
export async function hasVerifiedSsoProvider(db: Db | Trx, orgId: string): Promise<boolean> {
  const provider = await db
    .selectFrom('ssoProvider')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('domainVerified', '=', true)
    .executeTakeFirst()
  return provider !== undefined
}
