import type { Trx } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { conflict, notFound } from '../http/errors.ts'
import { findProjectForShare, type ProjectKey, type ProjectRow } from './store.ts'

/** Throws 409 when the project is archived or being deleted. The message contains `doing`. */
export function requireActive(
  project: { lifecycle: 'offline' | 'live' | 'archived'; deleting_at: Date | null },
  doing: 'building' | 'shipping',
): void {
  requireNotDeleting(project)
  if (project.lifecycle === 'archived')
    throw conflict(`The project is archived. Unarchive it before ${doing}.`)
}

/** Throws 409 when the project is being deleted. */
export function requireNotDeleting(project: { deleting_at: Date | null }): void {
  if (project.deleting_at !== null) throw conflict('The project is being deleted.')
}

/** Throws 404 when the project was deleted after it was loaded, and 409 while the project is being deleted. */
export function requireUndeleted(project: ProjectRow | null): void {
  if (project === null) throw notFound('project')
  requireNotDeleting(project)
}

/**
 * Like `lockProject`, and also keeps the project from being deleted until the transaction ends. Throws like `requireUndeleted`, because the
 * project may have been deleted during the wait for the lock, and no new row could refer to it then.
 */
export async function lockUndeletedProject(
  trx: Trx,
  { id: projectId, org_id: orgId }: ProjectIds,
): Promise<void> {
  await lockProject(trx, projectId)
  requireUndeleted(await findProjectForShare(trx, { orgId, projectId }))
}

/**
 * Like `requireActive`, but reads the project inside the transaction that starts the work, and keeps it from being deleted until the
 * commit. Archiving and deleting take the same lock (of the organization or the project), so the state cannot change before the commit.
 */
export async function requireStillActive(
  trx: Trx,
  key: ProjectKey,
  doing: 'building' | 'shipping',
): Promise<void> {
  const project = await findProjectForShare(trx, key)
  if (project === null) throw notFound('project')
  requireActive(project, doing)
}
