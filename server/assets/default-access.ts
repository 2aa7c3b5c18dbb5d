import * as z from 'zod'
import type { Db } from '../db/database.ts'
import { AssetAccess } from './access.ts'

const Settings = z.object({ defaultAccess: AssetAccess.catch({ kind: 'public' }) })

/** Who may see a new asset: what the capability's settings say, else everyone. */
export async function defaultAccess(db: Db, projectId: string): Promise<AssetAccess> {
  const row = await db
    .selectFrom('capabilities')
    .select('settings')
    .where('project_id', '=', projectId)
    .where('key', '=', 'assets')
    .executeTakeFirst()
  return Settings.parse(row === undefined ? {} : JSON.parse(row.settings)).defaultAccess
}
