import { capabilitiesOf } from '../capability-catalog/catalog.ts'
import type { Db } from '../db/database.ts'
import { PROJECTS_AS_P } from '../sql/projects.ts'

/** Returns the scopes that an organization's enabled capabilities need in addition to those that every connection requests. */
export async function capabilityScopes(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('capabilities as c')
    .innerJoin(PROJECTS_AS_P, 'p.id', 'c.project_id')
    .select('c.key')
    .distinct()
    .where('p.org_id', '=', orgId)
    .where('c.enabled', '=', true)
    .execute()
  return capabilitiesOf(new Set(rows.map(({ key }) => key))).flatMap(({ scopes }) => scopes)
}
