import { sql } from 'kysely'
import { bootstrapOrganization } from '../connections/bootstrap.ts'
import { transact, type Trx } from '../db/database.ts'
import { conflict } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'

interface CreatedOrganization {
  id: string
  slug: string
}

/**
 * Sets up an organization that a person has just created. When the person now owns more than the operator allows,
 * deletes the new organization and throws 409. When several are created at once, the oldest organizations remain.
 */
export async function setUpOrganization(
  platform: PlatformPorts<'config' | 'jobs'>,
  created: CreatedOrganization,
  ownerId: string,
): Promise<void> {
  const max = platform.config.organizationsPerPerson
  const isOneTooMany = await transact(platform.db, async (trx) => {
    // The lock makes the second of two simultaneous creations count the first.
    await trx.selectFrom('user').select('id').where('id', '=', ownerId).forUpdate().execute()
    if ((await organizationRank(trx, created.id, ownerId)) <= max) {
      await bootstrapOrganization(platform, trx, created)
      return false
    }
    await trx.deleteFrom('organization').where('id', '=', created.id).execute()
    return true
  })
  if (isOneTooMany)
    throw conflict(
      `You own ${max} organizations, as many as one person may own here. Make another member the owner of one first, or ask the operator to raise SLIPWAY_ORGANIZATIONS_PER_PERSON.`,
    )
}

/** Returns the rank of an organization among all that its owner owns (1 = oldest). */
async function organizationRank(trx: Trx, organizationId: string, ownerId: string): Promise<number> {
  const { rows } = await sql<{ rank: number }>`
    select count(*)::int as rank
    from "member" m join organization o on o.id = m."organizationId", organization made
    where m."userId" = ${ownerId} and 'owner' = any(string_to_array(m.role, ','))
      and made.id = ${organizationId} and (o."createdAt", o.id) <= (made."createdAt", made.id)`.execute(trx)
  return rows[0]?.rank ?? 0
}
