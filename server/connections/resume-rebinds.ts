import { provisionKind } from '../capability-state/provision-kind.ts'
import type { Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'
import { listRebindDue } from '../projects/store.ts'

/**
 * Queues the updates of workers' bindings that are due (`rebind_due`) because no cloud account could be used. Call it
 * in the transaction that connects an account.
 */
export async function resumeRebinds(
  platform: Pick<Ports, 'jobs'>,
  trx: Trx,
  { orgId, actor }: { orgId: string; actor: string },
): Promise<void> {
  for (const { id: projectId } of await listRebindDue(trx, orgId))
    await platform.jobs.send(trx, provisionKind, { orgId, projectId, actor })
}
