import { sql } from 'kysely'
import {
  deleteOrganizations,
  deletePerson,
  listMemberships,
  lockOrganizationRows,
  lockPerson,
} from '../auth/erase-person.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { storeMail } from '../mail/enqueue-mail.ts'
import { accountDeletedLetter } from '../mail/letters.ts'
import type { Needs } from '../platform.ts'
import { type DeletionPlan, doomedOf, listLeft, nextProject } from './deletion-plan.ts'

/**
 * The last step: deletes the organizations and the person in one transaction, with the mail that says so. A
 * person is therefore never seen without the organizations that were deleted for them. Returns null, and
 * changes nothing, when the plan changed meanwhile: a project was made, or a member joined.
 */
export async function eraseAccount(
  platform: Needs<'config' | 'keyring' | 'jobs'>,
  person: { id: string; email: string },
  orgIds: readonly string[],
): Promise<DeletionPlan | null> {
  const finishedAt = platform.clock.now().toISOString()
  const left = await transact(platform.db, async (trx) => {
    for (const id of orgIds.toSorted()) await lockOrganization(trx, id)
    await lockOrganizationRows(trx, orgIds)
    // Another step finished first.
    if (!(await lockPerson(trx, person.id))) return []
    const memberships = await listMemberships(trx, person.id)
    const isUnchanged =
      memberships.every(({ disposition }) => disposition !== 'blocked') &&
      doomedOf(memberships).toSorted().join() === orgIds.toSorted().join()
    if (!isUnchanged || (await nextProject(trx, orgIds)) !== null) return null
    const kept = await listLeft(trx, orgIds)
    await deleteWithoutReference(trx, person, orgIds)
    await deleteOrganizations(trx, orgIds)
    await deletePerson(trx, person)
    const letter = accountDeletedLetter({
      left: kept.map(({ projectName, name }) => `${name} (${projectName})`),
      url: platform.config.baseUrl,
    })
    // Not logged when it is held, as other mails are: the log would keep the address.
    await storeMail(platform, trx, { kind: 'account-deleted', recipient: person.email, letter })
    return kept
  })
  if (left === null) return null
  return {
    email: person.email,
    organizations: [],
    projectsLeft: 0,
    projects: [],
    spent: 0,
    cleared: 0,
    failed: [],
    left,
    deletion: { finishedAt },
  }
}

/** Rows that name the person or the organizations and that no foreign key deletes. */
async function deleteWithoutReference(
  trx: Trx,
  person: { id: string; email: string },
  orgIds: readonly string[],
): Promise<void> {
  await sql`delete from deliveries d using events e where e.id = d.event_id and e.org_id = any(${orgIds})`.execute(
    trx,
  )
  await sql`delete from events where org_id = any(${orgIds})`.execute(trx)
  await sql`delete from build_starts where org_id = any(${orgIds})`.execute(trx)
  // Answers that are kept for a repetition, in organizations that stay.
  await sql`delete from idempotency_keys where user_id = ${person.id}`.execute(trx)
  // Uploads that no message has, in organizations that stay.
  await sql`delete from help_attachments where created_by = ${person.id} and message_id is null`.execute(trx)
  await sql`delete from mails where lower(recipient) = lower(${person.email})`.execute(trx)
  await sql`delete from rate_limits
    where strpos(key, ${person.email}) > 0 or strpos(key, ${person.id}) > 0`.execute(trx)
  await sql`delete from pgboss.job
    where data->>'orgId' = any(${orgIds}) or data->>'organizationId' = any(${orgIds})`.execute(trx)
}
