import type { Trx } from '../db/database.ts'
import type { ProjectIds } from '../db/tables/projects.ts'
import { changeProject } from '../projects/store.ts'

/**
 * Records that the bindings of the live app and the preview must be updated, because the workers still have the
 * bindings of a disabled capability or still use a former access code. `capabilities/switch/rebind-due.ts` updates the
 * bindings.
 */
export async function markRebindDue(trx: Trx, project: ProjectIds): Promise<void> {
  await changeProject(trx, { orgId: project.org_id, projectId: project.id }, { rebind_due: true })
}
