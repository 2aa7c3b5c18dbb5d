import type { Db, Trx } from '../../db/database.ts'
import { capabilityOf, isCapabilityKey } from '../catalog.ts'
import { readSettings } from './settings.ts'

/** Returns a project's settings as the live worker reads them. */
export async function readLiveVariables(db: Db | Trx, projectId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('capabilities')
    .select(['key', 'settings'])
    .where('project_id', '=', projectId)
    .orderBy('key')
    .execute()
  const variables: Record<string, string> = {}
  for (const { key, settings } of rows) {
    if (!isCapabilityKey(key)) continue
    const declared = capabilityOf(key)
    Object.assign(variables, declared.variables(readSettings(declared, settings)))
  }
  return variables
}
