import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Core } from '../core.ts'
import { databaseErrorCode, type Db, type Trx } from '../db/database.ts'
import type { ProjectLeasesTable } from '../db/tables/leases.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { conflict, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'

/** How long a lease lasts without a renewal. So the lease of a process that died expires. */
const LEASE_SECONDS = 20
const RENEW_MS = 5_000
const LEASE_RETRY_MS = 200

type Purpose = ProjectLeasesTable['purpose']

const SUBJECTS: Record<Purpose, string> = { domain: 'the domain', provisioning: 'a resource of the project' }

interface LeaseOptions {
  purpose: Purpose
  /** The longest wait for the lease, in ms. Without this limit the wait ends only with `signal`. */
  waitMs?: number
  signal?: AbortSignal
}

/**
 * Throws when another process has taken the lease. Called before each change at the provider, and first in the transaction that stores the
 * result, where a row lock keeps the lease until the commit.
 */
export type RequireLease = (db: Db | Trx) => Promise<void>

/**
 * Runs `work` while holding the project's lease for this purpose, so that only one process at a time does such work
 * for the project. The lease is a row and not a lock, so that no database connection is held during calls to the
 * provider. A process that could not renew its lease in time may lose it to another process. Throws `conflict` when
 * the lease is not free within `waitMs`, and `not_found` when the project is deleted.
 */
export async function withLease<T>(
  platform: Core,
  project: ProjectIds,
  { purpose, waitMs = Infinity, signal }: LeaseOptions,
  work: (hold: RequireLease) => Promise<T>,
): Promise<T> {
  const lease: Lease = { project, purpose, holder: newId('req') }
  const giveUpAt = performance.now() + waitMs
  while (!(await claimLease(platform, lease))) {
    if (performance.now() > giveUpAt)
      throw conflict(`Another request is changing ${SUBJECTS[purpose]} right now. Try again in a moment.`)
    await sleep(LEASE_RETRY_MS, undefined, { signal })
  }
  const logFailure = (message: string) => (error: unknown) =>
    platform.log.warn({ err: error, projectId: project.id, purpose }, message)
  const renewing = setInterval(() => {
    renewLease(platform, lease).catch(logFailure('a lease could not be renewed'))
  }, RENEW_MS)
  const hold = async (db: Db | Trx) => {
    if (!(await isHeld(db, lease)))
      throw conflict(`Another process has begun to change ${SUBJECTS[purpose]}. Try again in a moment.`)
  }
  try {
    return await work(hold)
  } finally {
    clearInterval(renewing)
    // The lease expires by itself, so a failed release does not replace the result or the error of the work.
    await releaseLease(platform, lease).catch(logFailure('a lease could not be released'))
  }
}

/** Ends all leases for this purpose. Call it only when every process that could hold one is known to have ended. */
export const endLeases = async (db: Db, purpose: Purpose): Promise<void> => {
  await db.deleteFrom('project_leases').where('purpose', '=', purpose).execute()
}

interface Lease {
  project: ProjectIds
  purpose: Purpose
  holder: string
}

async function isHeld(db: Db | Trx, { project, purpose, holder }: Lease): Promise<boolean> {
  const row = await db
    .selectFrom('project_leases')
    .select('holder')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
  return row?.holder === holder
}

// The end of a lease uses the clock of the database, because the clocks of the processes may differ.
const LEASE_END = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

async function claimLease({ db }: Core, { project, purpose, holder }: Lease): Promise<boolean> {
  const row = { project_id: project.id, org_id: project.org_id, purpose, holder, leased_until: LEASE_END }
  try {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('project_leases')
      .values(row)
      .onConflict((oc) =>
        oc
          .columns(['project_id', 'purpose'])
          .doUpdateSet({ holder, leased_until: LEASE_END })
          .where('project_leases.leased_until', '<', sql<Date>`now()`),
      )
      .executeTakeFirst()
    return numInsertedOrUpdatedRows === 1n
  } catch (error) {
    if (databaseErrorCode(error) === FOREIGN_KEY_VIOLATION) throw notFound('project')
    throw error
  }
}

const FOREIGN_KEY_VIOLATION = '23503'

const renewLease = ({ db }: Core, { project, purpose, holder }: Lease) =>
  db
    .updateTable('project_leases')
    .set({ leased_until: LEASE_END })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .execute()

const releaseLease = ({ db }: Core, { project, purpose, holder }: Lease) =>
  db
    .deleteFrom('project_leases')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('purpose', '=', purpose)
    .where('holder', '=', holder)
    .execute()
