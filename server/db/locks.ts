import { sql } from 'kysely'
import type { Trx } from './database.ts'

/** The first number of every two-number advisory lock. The list is complete, so that no number is used twice. */
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

/** Serialises changes that depend on counts within an organization; held until the transaction ends. */
export async function lockOrganization(trx: Trx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.organization}, hashtext(${organizationId}))`.execute(
    trx,
  )
}

/** Serialises the search for a free short name of an organization; held until the transaction ends. */
export async function lockShortNames(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.shortNames}, 0)`.execute(trx)
}

/** Serialises changes that read several rows of a project; held until the transaction ends. */
export async function lockProject(trx: Trx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.project}, hashtext(${projectId}))`.execute(trx)
}

/**
 * Serialises changes of a project's ticket tree. The triggers that maintain its sums take this lock too. Take
 * it after locking a ticket's row, never before.
 */
export async function lockTicketTree(trx: Trx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_CLASS.ticketTree}, hashtext(${projectId}))`.execute(trx)
}
