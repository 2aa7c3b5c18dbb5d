import type { Db, Trx } from '../../db/database.ts'
import type { AppTier } from '../../resource-names.ts'
import { callersAmong, capabilityOf } from '../../capability-catalog/catalog.ts'
import { readSettings } from '../../capability-state/settings.ts'
import { readStoredSettings } from '../../capability-state/variables.ts'

/** Returns the enabled capabilities whose Durable Objects call the app's worker of this tier, according to their settings. */
export async function readCallers(
  db: Db | Trx,
  projectId: string,
  keys: ReadonlySet<string>,
  tier: AppTier,
): Promise<string[]> {
  const calling = await Promise.all(
    callersAmong(keys).map(async (key) => {
      const declared = capabilityOf(key)
      const settings = readSettings(declared, await readStoredSettings(db, projectId, key))
      return declared.callsApp?.(settings, tier) === true ? [key] : []
    }),
  )
  return calling.flat()
}
