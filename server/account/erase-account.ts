import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ConnectionRow } from '../account-port.ts'
import {
  deleteOrganizations,
  deletePerson,
  listMemberships,
  lockOrganizationRows,
  lockPerson,
} from '../auth/erase-person.ts'
import { deleteConnections } from '../connections/disconnect.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { deleteRows } from '../db/purge.ts'
import { deleteWaiting } from '../help/attachments.ts'
import { deleteResponsesTo } from '../http/purge-idempotency.ts'
import { deleteCountersOf } from '../http/limits/purge.ts'
import { accountDeletedMail } from '../mail/templates.ts'
import { deleteMailsTo } from '../mail/purge-mails.ts'
import type { PlatformPorts } from '../platform.ts'
import {
  type DeletionPlan,
  organizationsToDelete,
  listLeftResources,
  nextProject,
  readProgress,
} from './deletion-plan.ts'
import { LARGE_TABLES } from './large-tables.ts'

/** The longest time that providers which do not respond may delay the end of the step. */
const REVOKE_MS_MAX = 3_000

/**
 * The last step: deletes the organizations and the person in one transaction, which also stores the confirmation mail.
 * A person is therefore never visible without the organizations that are deleted with them. Then tries to revoke the
 * tokens of the connected accounts at their providers. Returns null, and changes nothing, when the plan changed
 * meanwhile: a project was created, or a member joined.
 */
export async function eraseAccount(
  platform: PlatformPorts<'accounts' | 'mailer'>,
  person: { id: string; email: string },
  orgIds: readonly string[],
): Promise<DeletionPlan | null> {
  const finishedAt = platform.clock.now().toISOString()
  const erased = await transact(platform.db, async (trx) => {
    for (const id of orgIds.toSorted()) await lockOrganization(trx, id)
    await lockOrganizationRows(trx, orgIds)
    // No such person: a simultaneous step has already deleted the account.
    if (!(await lockPerson(trx, person.id))) return { left: [], connections: [], spent: 0, cleared: 0 }
    const memberships = await listMemberships(trx, person.id)
    const isUnchanged =
      memberships.every(({ disposition }) => disposition !== 'blocked') &&
      organizationsToDelete(memberships).toSorted().join() === orgIds.toSorted().join()
    if (!isUnchanged || (await nextProject(trx, orgIds)) !== null) return null
    const left = await listLeftResources(trx, orgIds)
    const progress = await readProgress(trx, person.id)
    const connections = await deleteConnections(trx, orgIds)
    await deleteWithoutReference(trx, person, orgIds)
    await deleteOrganizations(trx, orgIds)
    await deletePerson(trx, person)
    const message = accountDeletedMail({
      left: left.map(({ projectName, name }) => `${name} (${projectName})`),
      url: platform.mailer.baseUrl,
    })
    // Unlike other mails, the deletion mail is not logged when there is no mail server: the log would keep the address.
    await platform.mailer.store(trx, { kind: 'account-deleted', recipient: person.email, message })
    return { left, connections, ...progress }
  })
  if (erased === null) return null
  await revokeAll(platform, erased.connections)
  return {
    email: person.email,
    organizations: [],
    projectsLeft: 0,
    projects: [],
    spent: erased.spent,
    cleared: erased.cleared,
    failed: [],
    left: erased.left,
    deletion: { finishedAt },
  }
}

/**
 * Tries to revoke tokens at their providers, for a limited time. A token that could not be revoked is still never used
 * again, because the service no longer stores it.
 */
async function revokeAll(
  { accounts }: PlatformPorts<'accounts'>,
  connections: readonly ConnectionRow[],
): Promise<void> {
  const revoked = Promise.allSettled(connections.map((row) => accounts.revoke(row)))
  await Promise.race([revoked, sleep(REVOKE_MS_MAX, undefined, { ref: false })])
}

/** Deletes the rows that no foreign key deletes with the person or the organizations, and the rows of large tables. */
async function deleteWithoutReference(
  trx: Trx,
  person: { id: string; email: string },
  orgIds: readonly string[],
): Promise<void> {
  // Rows that were added after the earlier steps emptied these tables.
  for (const orgId of orgIds) await deleteRows(trx, LARGE_TABLES, [orgId])
  // Rows of the person, also in organizations that are not deleted.
  await deleteResponsesTo(trx, person.id)
  await deleteWaiting(trx, person.id)
  await deleteMailsTo(trx, person.email)
  await deleteCountersOf(trx, [person.email, person.id])
  await sql`delete from pgboss.job
    where data->>'orgId' = any(${orgIds}) or data->>'organizationId' = any(${orgIds})`.execute(trx)
}
