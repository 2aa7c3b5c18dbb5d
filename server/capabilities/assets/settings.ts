import { assets } from './declaration.ts'
import { readSettings as parseSettings } from '../switch/settings.ts'
import type { Db } from '../../db/database.ts'
import type { AssetAccess } from './access.ts'

/** The settings of the capability as they stand, on or off. */
async function readSettings(db: Db, projectId: string) {
  const row = await db
    .selectFrom('capabilities')
    .select('settings')
    .where('project_id', '=', projectId)
    .where('key', '=', 'assets')
    .executeTakeFirst()
  return parseSettings(assets, row?.settings) as { defaultAccess: AssetAccess; cacheSeconds: number }
}

/** Who may see a new asset. */
export const defaultAccess = async (db: Db, projectId: string): Promise<AssetAccess> =>
  (await readSettings(db, projectId)).defaultAccess

/** How long a browser keeps an asset that everyone may see. */
export const readCacheSeconds = async (db: Db, projectId: string): Promise<number> =>
  (await readSettings(db, projectId)).cacheSeconds
