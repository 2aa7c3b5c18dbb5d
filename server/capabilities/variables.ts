import type { Db } from '../db/database.ts'
import { capabilityOf, isCapabilityKey } from './catalog.ts'

/** What a project's settings are called in the worker that holds its objects. */
export async function readLiveVariables(db: Db, projectId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('capabilities')
    .select(['key', 'settings'])
    .where('project_id', '=', projectId)
    .orderBy('key')
    .execute()
  const variables: Record<string, string> = {}
  for (const { key, settings } of rows) {
    const declared = isCapabilityKey(key) ? capabilityOf(key) : null
    if (declared !== null)
      Object.assign(variables, declared.variables(declared.settings.parse(JSON.parse(settings))))
  }
  return variables
}
