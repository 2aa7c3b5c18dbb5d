import type { Needs } from '../../platform.ts'
import type { ProjectRef } from '../../resources/work.ts'
import type { LiveInAccount } from '../../capability-declaration/capability.ts'
import { capabilitiesOf } from '../../capability-catalog/catalog.ts'
import { actionsOf } from './actions-of.ts'

/**
 * Returns the values for the live worker that differ by cloud account: email addresses, the key of the Turnstile
 * widget, limits, the AI model.
 */
export async function readLiveInAccount(
  platform: Needs<'accounts'>,
  project: ProjectRef,
  { accountId, enabled }: { accountId: string; enabled: ReadonlySet<string> },
): Promise<LiveInAccount> {
  const all = await Promise.all(
    actionsOf(enabled).map(
      async ({ readLive }) =>
        (await readLive?.(platform, project, accountId)) ?? { variables: {}, bindings: [] },
    ),
  )
  return {
    variables: Object.assign({}, ...all.map(({ variables }) => variables)),
    bindings: [
      ...all.flatMap(({ bindings }) => bindings),
      ...capabilitiesOf(enabled).flatMap(({ liveBindings }) => liveBindings),
    ],
  }
}
