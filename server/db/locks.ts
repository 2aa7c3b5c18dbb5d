import { sql } from 'kysely'
import type { Trx } from './database.ts'

/**
 * The first key of every advisory lock, which Postgres identifies by two keys. The list is complete, so that no two
 * kinds of locks have the same key.
 */
export const LOCK_CLASS = {
  migrate: 1,
  schedule: 2,
  organization: 3,
  project: 4,
  process: 5,
  device: 6,
  ticketTree: 7,
  shortNames: 8,
  buildPause: 9,
  abandonedJobs: 10,
} as const

/**
 * Makes changes that depend on counts within an organization run one after the other. The lock is held until the
 * transaction ends.
 */
export async function lockOrganization(trx: Trx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.organization}, hashtext(${organizationId}))`.execute(
    trx,
  )
}

/**
 * Makes searches for a free short name of an organization run one after the other. The lock is held until the
 * transaction ends.
 */
export async function lockShortNames(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.shortNames}, 0)`.execute(trx)
}

/**
 * Makes changes that depend on several rows of a project run one after the other. The lock is held until the
 * transaction ends.
 */
export async function lockProject(trx: Trx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.project}, hashtext(${projectId}))`.execute(trx)
}

/**
 * Makes changes of a project's ticket tree run one after the other. The triggers that maintain the tree's counts take
 * this lock too. To prevent a deadlock, take this lock after the lock of a ticket's row and never before.
 */
export async function lockTicketTree(trx: Trx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.ticketTree}, hashtext(${projectId}))`.execute(trx)
}
