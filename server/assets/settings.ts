import { assets } from '../capabilities/assets.ts'
import { readSettings as parseSettings } from '../capabilities/settings.ts'
import type { Db } from '../db/database.ts'
import type { AssetAccess } from './access.ts'

/** The current settings of the capability, whether it is on or off. */
async function readSettings(db: Db, projectId: string) {
  const row = await db
    .selectFrom('capabilities')
    .select('settings')
    .where('project_id', '=', projectId)
    .where('key', '=', 'assets')
    .executeTakeFirst()
  return parseSettings(assets, row?.settings) as { defaultAccess: AssetAccess; cacheSeconds: number }
}

/** Default access of a new asset. */
export const defaultAccess = async (db: Db, projectId: string): Promise<AssetAccess> =>
  (await readSettings(db, projectId)).defaultAccess

/** How many seconds a browser caches a public asset. */
export const readCacheSeconds = async (db: Db, projectId: string): Promise<number> =>
  (await readSettings(db, projectId)).cacheSeconds
