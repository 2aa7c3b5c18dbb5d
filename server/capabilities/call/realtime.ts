import { type CallsKind, createCalls, deleteCalls, findCalls } from '../../cloudflare/products/calls.ts'
import { transact } from '../../db/database.ts'
import type { RegisteredResource } from '../../resources/kinds/kind.ts'
import { resourceKey, nameTaken, storeProviderId, settleResource } from '../../resources/registry.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { hasSecret, storeSecret } from '../../capability-state/secrets.ts'
import { SECRET_OF_KIND } from './declaration.ts'

/**
 * Creates the SFU app (media server) or the TURN key (relay) that audio and video calls need, and stores its id and
 * secret. The provider shows a secret only once. So when the response with the secret was lost, deletes the created app
 * or key and creates another. Throws `name_taken` when the name belongs to another owner.
 */
export async function makeCalls(
  work: ResourceWork<'keyring' | 'makers'>,
  row: RegisteredResource & { kind: CallsKind },
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
  // Remove the id from the row. Without an id, the next attempt deletes everything with this name. So it also deletes
  // what this attempt creates if the response is lost.
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
  // The live worker still has the secret of the deleted app or key, so publish the worker again.
  if (row.state !== 'creating') await platform.makers.live(work)
}
