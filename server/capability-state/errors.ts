import type { Trx } from '../db/database.ts'
import { isUploadsName, type ResourceKind } from '../resource-names.ts'
import { joinReason } from '../capability-declaration/capability.ts'
import { capabilitiesOf } from '../capability-catalog/catalog.ts'
import { enabledCapabilities } from './enabled.ts'

/** Sets the state `error` for each enabled capability that needs one of the removed resources. */
export async function recordMissing(
  trx: Trx,
  project: { id: string; slug: string },
  gone: { kind: ResourceKind; name: string }[],
): Promise<void> {
  const enabled = await enabledCapabilities(trx, project.id)
  // The upload bucket keeps its original name when the project is renamed, so take its name from the removed resources.
  const uploads = gone.find(({ name }) => isUploadsName(name))?.name
  for (const { key, resources } of capabilitiesOf(enabled)) {
    const lost = resources({ ...project, uploads }).find((one) =>
      gone.some((row) => row.kind === one.kind && row.name === one.name),
    )
    if (lost === undefined) continue
    const message = `The ${lost.kind.replace('_', ' ')} ${lost.name} was removed. Reconcile the project to make it again, empty.`
    const error = joinReason({ code: 'resource_missing', message })
    await trx
      .updateTable('capabilities')
      .set({ state: 'error', error })
      .where('project_id', '=', project.id)
      .where('key', '=', key)
      .execute()
  }
}

/**
 * Clears the errors of capabilities after a move to another account was cancelled. The errors concern the other
 * account; in the current account the resources exist.
 */
export async function clearErrors(trx: Trx, projectId: string): Promise<void> {
  await trx
    .updateTable('capabilities')
    .set({ state: 'idle', error: null })
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .where('state', '=', 'error')
    .execute()
}
