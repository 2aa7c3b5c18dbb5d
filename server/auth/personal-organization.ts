import { generateId } from 'better-auth'
import { bootstrapOrganization } from '../connections/bootstrap.ts'
import { transact, type Db, type Trx } from '../db/database.ts'
import type { PlatformPorts } from '../platform.ts'
import { availableShortName } from './short-name.ts'

/**
 * Returns the organization in which a user starts: the oldest membership, or a new organization, so that the
 * API works right after sign-up. Returns null for a person with a pending invitation, who is expected to join
 * that organization. Called at sign-up and at each sign-in, which repairs an interrupted sign-up.
 */
export function ensureOrganization(
  platform: PlatformPorts<'config' | 'jobs'>,
  userId: string,
): Promise<string | null> {
  return transact(platform.db, async (trx) => {
    // The lock makes two simultaneous sign-ins create one organization. The user's row is missing while the
    // auth library's own sign-up transaction has not committed.
    const user = await trx
      .selectFrom('user')
      .select(['id', 'name', 'email'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!user) return null
    const member = await oldestMembership(trx, userId)
    if (member) return member
    if (await isInvited(trx, user.email, platform.clock.now())) return null
    return createPersonalOrganization(platform, trx, user)
  })
}

/** Returns whether the address has a pending invitation that has not expired. Ignores upper and lower case. */
export async function isInvited(db: Db | Trx, email: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('invitation')
    .select('id')
    .where((eb) => eb.fn<string>('lower', ['email']), '=', email.toLowerCase())
    .where('status', '=', 'pending')
    .where('expiresAt', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function oldestMembership(trx: Trx, userId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.organizationId ?? null
}

async function createPersonalOrganization(
  platform: PlatformPorts<'config' | 'jobs'>,
  trx: Trx,
  user: { id: string; name: string; email: string },
): Promise<string> {
  const id = generateId()
  const owner = user.name.trim() || user.email.replace(/@.*/, '')
  const name = `${owner}'s organization`
  const slug = await availableShortName(trx, owner)
  const createdAt = platform.clock.now()
  await trx.insertInto('organization').values({ id, name, slug, createdAt }).execute()
  await trx
    .insertInto('member')
    .values({ id: generateId(), organizationId: id, userId: user.id, role: 'owner', createdAt })
    .execute()
  await bootstrapOrganization(platform, trx, { id, slug })
  return id
}
