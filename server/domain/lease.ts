import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../lib/ids.ts'
import type { Db, Trx } from '../db/database.ts'
import { conflict } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { readDomain } from './domains.ts'
import type { ProjectIds } from '../db/tables/projects.ts'

/** A lease expires after this time unless its holder renews it, so the lease of a process that died expires. */
const LEASE_SECONDS = 20
const RENEW_MS = 5_000
const LEASE_RETRY_MS = 200

/**
 * Throws when another process has taken the lease. Called before each change at the provider, and first in the transaction that stores the
 * result, where it keeps the lease until commit.
 */
export type HoldLease = (db: Db | Trx) => Promise<void>

/**
 * Runs `work` while holding the project's domain lease, because attaching and detaching must not overlap. The lease is a row and not a
 * lock, so that no database connection is held during calls to the provider. A process that could not renew its lease in time may lose it
 * to another one.
 */
export async function withLease<T>(
  platform: Core,
  project: ProjectIds,
  waitMs: number,
  work: (hold: HoldLease) => Promise<T>,
): Promise<T> {
  const lease = newId('req')
  const giveUpAt = performance.now() + waitMs
  while (!(await claimLease(platform, project, lease))) {
    if (performance.now() > giveUpAt)
      throw conflict('The domain is being changed right now. Try again in a moment.')
    await sleep(LEASE_RETRY_MS)
  }
  const renewing = setInterval(() => {
    renewLease(platform, project, lease).catch((error: unknown) =>
      platform.log.warn({ err: error, projectId: project.id }, 'the lease of a domain could not be renewed'),
    )
  }, RENEW_MS)
  const hold = async (db: Db | Trx) => {
    if (await isTaken(db, project, lease))
      throw conflict('Another process has begun to change the domain. Try again in a moment.')
  }
  try {
    return await work(hold)
  } finally {
    clearInterval(renewing)
    await releaseLease(platform, project, lease)
  }
}

/** Returns whether another process has the lease. Without a row there is nothing to take. */
async function isTaken(db: Db | Trx, project: ProjectIds, lease: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('lease')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && row.lease !== lease
}

// The end of a lease uses the clock of the database, because the clocks of the processes may differ.
const LEASE_END = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

async function claimLease({ db }: Core, project: ProjectIds, lease: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('domains')
    .set({ lease, leased_until: LEASE_END })
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<Date>`now()`)]))
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  // Also succeeds when the domain was removed in the meantime. There is no row then, and nothing to lock.
  return (await readDomain(db, project)) === null
}

const updateWithLease = ({ db }: Core, project: ProjectIds, lease: string) =>
  db
    .updateTable('domains')
    .where('org_id', '=', project.org_id)
    .where('project_id', '=', project.id)
    .where('lease', '=', lease)

const renewLease = (platform: Core, project: ProjectIds, lease: string) =>
  updateWithLease(platform, project, lease).set({ leased_until: LEASE_END }).execute()

const releaseLease = (platform: Core, project: ProjectIds, lease: string) =>
  updateWithLease(platform, project, lease).set({ lease: null, leased_until: null }).execute()
