import type { Trx } from '../db/database.ts'
import { conflict, notFound } from '../http/errors.ts'
import type { ProjectKey } from './store.ts'

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

/**
 * Like `requireActive`, but reads the project inside the transaction that starts the work. Archiving and
 * deleting take the same lock (of the organization or the project), so the state cannot change before the
 * commit.
 */
export async function requireStillActive(
  trx: Trx,
  { orgId, projectId }: ProjectKey,
  doing: 'building' | 'shipping',
): Promise<void> {
  const row = await trx
    .selectFrom('projects')
    .select(['lifecycle', 'deleting_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (row === undefined) throw notFound('project')
  requireActive(row, doing)
}
