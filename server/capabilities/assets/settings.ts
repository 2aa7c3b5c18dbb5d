import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Db } from '../../db/database.ts'
import { invalid } from '../../http/errors.ts'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import { readSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'
import { type AssetAccess, assets } from './declaration.ts'

/** Returns the access that a new asset gets, whether or not the capability is enabled. */
export async function defaultAccess(db: Db, projectId: string): Promise<AssetAccess> {
  const settings = readSettings(assets, await readStoredSettings(db, projectId, 'assets'))
  return (settings as { defaultAccess: AssetAccess }).defaultAccess
}

/** The capability that each kind of access requires: an app has no members without sign-in, and no buyers without payments. */
const NEEDED_CAPABILITY = {
  public: null,
  members: 'auth',
  product: 'pay',
} satisfies Record<AssetAccess['kind'], CapabilityKey | null>

/** Throws `invalid_request` for a kind of access whose capability is disabled. */
export async function requireAccessCapability(db: Db, projectId: string, access: AssetAccess): Promise<void> {
  const needed = NEEDED_CAPABILITY[access.kind]
  if (needed === null || (await enabledCapabilities(db, projectId)).has(needed)) return
  throw invalid('access', `"${access.kind}" needs the capability ${needed}, which is off in this project`)
}
