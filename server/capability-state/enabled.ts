import type { Db, Trx } from '../db/database.ts'

export async function enabledCapabilities(db: Db | Trx, projectId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('capabilities')
    .select('key')
    .where('project_id', '=', projectId)
    .where('enabled', '=', true)
    .execute()
  return new Set(rows.map((row) => row.key))
}
