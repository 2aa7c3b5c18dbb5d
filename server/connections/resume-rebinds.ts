import { provisionKind } from '../capability-state/provision-kind.ts'
import { transact, type Trx } from '../db/database.ts'
import type { PlatformPorts, Ports } from '../platform.ts'
import { listRebindDue, sampleRebindDue } from '../projects/store.ts'
import type { ScheduledTask } from '../scheduled-task.ts'

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

const PROJECTS_AT_ONCE = 100

/**
 * Queues the updates of workers' bindings again that are still due: all attempts of a job may have failed, because Cloudflare failed or a
 * deployment was running. Otherwise an app would stay without an access code that was set in that time.
 */
export const retryRebinds: ScheduledTask<PlatformPorts<'jobs'>> = {
  name: 'retry-rebinds',
  every: '10 minutes',
  async run({ db, jobs }) {
    const due = await sampleRebindDue(db, PROJECTS_AT_ONCE)
    await transact(db, async (trx) => {
      for (const { org_id: orgId, id: projectId } of due)
        await jobs.send(trx, provisionKind, { orgId, projectId, actor: 'slipway' })
    })
  },
}
