import { type CallsKind, createCalls, deleteCalls, findCalls } from '../../cloudflare/calls.ts'
import { transact } from '../../db/database.ts'
import type { Registered } from '../../resources/kinds/kind.ts'
import { resourceKey, nameTaken, storeProviderId, settleResource } from '../../resources/registry.ts'
import type { Work } from '../../resources/work.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { hasSecret, storeSecret } from '../../capability-state/secrets.ts'
import { SECRET_OF_KIND } from './declaration.ts'

/**
 * Creates the media server app or the relay key that audio and video calls need, and stores its secret with
 * its id. The provider shows a secret once, so one whose secret was lost with the response is deleted and
 * created again. Throws `name_taken` when the name belongs to another owner.
 */
export async function makeCalls(
  work: Work<'keyring' | 'makers'>,
  row: Registered & { kind: CallsKind },
): Promise<void> {
  const { platform, cloud, project } = work
  const { kind, name } = row
  const key = resourceKey(project, row)
  const known = row.wasMissing === true ? [] : await findCalls(cloud, kind, name)
  const ours = known.find(({ uid }) => uid === row.provider_id)
  const hasOurSecret = await hasSecret(platform.db, project, 'call', SECRET_OF_KIND[kind])
  if (ours !== undefined && hasOurSecret) return await settleResource(platform, key, { state: 'ok' })
  if (row.provider_id !== null && ours === undefined && known.length > 0) throw nameTaken(key)
  for (const lost of known)
    if (row.provider_id === null || lost === ours) await deleteCalls(cloud, kind, lost)
  // Without an id in its row, everything of this name counts as this project's. So if the response to the
  // creation is lost, the next attempt deletes what was created.
  if (row.provider_id !== null) await storeProviderId(platform.db, project, row, null)
  const { uid, secret } = await createCalls(cloud, kind, name)
  await transact(platform.db, async (trx) => {
    await storeSecret(platform, trx, project, capabilityOf('call'), {
      name: SECRET_OF_KIND[kind],
      value: secret,
    })
    await storeProviderId(trx, project, row, uid)
  })
  await settleResource(platform, key, { state: 'ok', providerId: uid })
  // The live worker still has the secret of the deleted one, so it is published again.
  if (row.state !== 'creating') await platform.makers.live(work)
}
