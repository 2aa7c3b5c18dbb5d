import { sql } from 'kysely'
import { type Db, transact, type Trx } from '../db/database.ts'
import { LOCK_CLASS } from '../db/locks.ts'
import { ApiError } from '../http/errors.ts'
import { AdminError } from './admin-error.ts'

const REASON_MAX = 300

export interface BuildPause {
  reason: string
  since: Date
}

/** Returns the pause, which applies to the whole installation, or null while builds are not paused. */
export async function readPause(db: Db | Trx): Promise<BuildPause | null> {
  const row = await db.selectFrom('build_pause').select(['reason', 'created_at']).executeTakeFirst()
  return row === undefined ? null : { reason: row.reason, since: row.created_at }
}

/**
 * Returns the pause, or null. A new pause waits until this transaction ends. Call this function before taking any
 * other lock: the same order of locks everywhere prevents deadlocks.
 */
export async function lockBuildPause(trx: Trx): Promise<BuildPause | null> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK_CLASS.buildPause}, 0)`.execute(trx)
  return readPause(trx)
}

/** Throws 503 `unavailable` with the operator's reason while builds are paused. */
export async function requireNoPause(trx: Trx): Promise<void> {
  const pause = await lockBuildPause(trx)
  if (pause !== null) throw new ApiError('unavailable', `Builds are paused: ${pause.reason}`)
}

/**
 * Pauses the builds of the whole installation. Once this returns, no build starts; running builds continue
 * and queued ones wait.
 */
export async function pauseBuilds({ db, now }: { db: Db; now: Date }, given: string): Promise<BuildPause> {
  // The reason has no line breaks, because it is part of a sentence that people read.
  const reason = given.replaceAll(/\s+/g, ' ').trim()
  if (reason.length > REASON_MAX)
    throw new AdminError(`The reason must have at most ${REASON_MAX} characters.`)
  return transact(db, async (trx) => {
    const before = await lockPause(trx)
    if (before !== null)
      throw new AdminError(`Builds have been paused since ${before.since.toISOString()}: ${before.reason}`)
    await trx.insertInto('build_pause').values({ reason, created_at: now }).execute()
    return { reason, since: now }
  })
}

/** Ends the pause; queued builds start within seconds. Returns the pause that ended. */
export function resumeBuilds({ db }: { db: Db }): Promise<BuildPause> {
  return transact(db, async (trx) => {
    const before = await lockPause(trx)
    if (before === null) throw new AdminError('Builds are not paused.')
    await trx.deleteFrom('build_pause').execute()
    return before
  })
}

async function lockPause(trx: Trx): Promise<BuildPause | null> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.buildPause}, 0)`.execute(trx)
  return readPause(trx)
}
