import type { Trx } from '../../db/database.ts'
import type { Ports } from '../../platform.ts'
import { provisionJob } from './provision.ts'

/** Sends the jobs of due rebinds, in the transaction that connects a cloud account. */
export async function resumeRebinds(
  platform: Pick<Ports, 'jobs'>,
  trx: Trx,
  { orgId, actor }: { orgId: string; actor: string },
): Promise<void> {
  const due = await trx
    .selectFrom('projects')
    .select('id')
    .where('org_id', '=', orgId)
    .where('rebind_due', '=', true)
    .where('deleting_at', 'is', null)
    .execute()
  for (const { id: projectId } of due)
    await platform.jobs.send(trx, provisionJob, { orgId, projectId, actor })
}
