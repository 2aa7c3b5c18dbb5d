import type { Db, Trx } from '../../db/database.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { readLiveAi } from '../ai/gateway.ts'
import { readLiveCalls } from '../call/live.ts'
import type { LiveInAccount } from '../../capability-declaration/capability.ts'
import { capabilitiesOf } from '../../capability-catalog/catalog.ts'
import { readLiveMail } from '../email/live.ts'
import { readLiveGuard } from '../guard/live.ts'

/**
 * Returns the values for the live worker that differ by cloud account: email addresses, the key of the Turnstile
 * widget, limits, the AI model.
 */
export async function readLiveInAccount(
  db: Db | Trx,
  project: ProjectRef,
  of: { accountId: string; enabled: ReadonlySet<string> },
): Promise<LiveInAccount> {
  const all = await Promise.all(
    [readLiveMail, readLiveGuard, readLiveAi, readLiveCalls].map((read) => read(db, project, of)),
  )
  return {
    variables: Object.assign({}, ...all.map(({ variables }) => variables)),
    bindings: [
      ...all.flatMap(({ bindings }) => bindings),
      ...capabilitiesOf(of.enabled).flatMap(({ liveBindings }) => liveBindings),
    ],
  }
}
