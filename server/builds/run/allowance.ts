import { sql } from 'kysely'
import { type Plan, PLAN_CAPS } from '../../billing-plans.ts'
import type { Db, Trx } from '../../db/database.ts'
import { lockOrganization } from '../../db/locks.ts'
import { purge, rowsOfOrganization } from '../../db/purge.ts'
import { ApiError } from '../../http/errors.ts'
import type { ScheduledTask } from '../../scheduled-task.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

/**
 * Locks the organization, so that the count of its builds is exact until the transaction ends. Always taken before the project's lock, to
 * avoid deadlocks.
 */
export async function lockAllowance(trx: Trx, orgId: string, plan: Plan): Promise<void> {
  if (PLAN_CAPS[plan].buildsPerHour !== Infinity) await lockOrganization(trx, orgId)
}

/** Returns when the next build may start; null: now. The result is exact only under `lockAllowance`. */
export async function nextAllowance(trx: Trx, orgId: string, plan: Plan, at: Date): Promise<Date | null> {
  const limit = PLAN_CAPS[plan].buildsPerHour
  if (limit === Infinity) return null
  const since = new Date(at.getTime() - HOUR_MS)
  // Selects the oldest of the newest `limit` starts in the last hour. When it is an hour old, one more build is allowed.
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from build_starts
    where org_id = ${orgId} and created_at > ${since}
    order by created_at desc offset ${limit - 1} limit 1`.execute(trx)
  const [blocking] = rows
  return blocking === undefined ? null : new Date(blocking.created_at.getTime() + HOUR_MS)
}

/** Counts one more build. The row outlives the run, so that deleting a project does not refund builds. */
export async function countStart(trx: Trx, orgId: string, at: Date): Promise<void> {
  await trx.insertInto('build_starts').values({ org_id: orgId, created_at: at }).execute()
}

export async function countStarts(db: Db, orgId: string, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('build_starts')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('created_at', '>', new Date(at.getTime() - HOUR_MS))
    .executeTakeFirstOrThrow()
  return count
}

/** Throws 429 `rate_limited` with the wait in the message when the builds of the last hour are used up. */
export async function requireAllowance(trx: Trx, orgId: string, plan: Plan, at: Date): Promise<void> {
  const free = await nextAllowance(trx, orgId, plan, at)
  if (free === null) return
  const retryAfterSeconds = Math.max(1, Math.ceil((free.getTime() - at.getTime()) / 1000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  throw new ApiError(
    'rate_limited',
    `The plan allows ${PLAN_CAPS[plan].buildsPerHour} builds an hour. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfterSeconds },
  )
}

export const purgeBuildStarts: ScheduledTask = {
  name: 'purge-build-starts',
  every: 'night',
  async run({ db, clock }, signal) {
    const until = new Date(clock.now().getTime() - HOUR_MS)
    await purge(db, { table: 'build_starts', time: 'created_at', until }, signal)
  },
}

/** Deletes the counted starts with their organization. Deleting a project keeps them. */
export const STARTS_OF_ORGANIZATION = rowsOfOrganization('build_starts')
