import type { Cloud } from '../cloudflare/client.ts'
import type { Db, Trx } from '../db/database.ts'
import type { Platform } from '../platform.ts'

/** A project as far as work in its cloud account needs it. */
export interface ProjectRef {
  id: string
  org_id: string
  name: string
  slug: string
}

/** What every change in a project's cloud account needs. */
export interface Work {
  platform: Platform
  /** The account that is changed. */
  cloud: Cloud
  project: ProjectRef
  /** Named in the activity log. */
  actor: string
  signal: AbortSignal
}

/** Returns the project, or null when it is gone. */
export async function findProject(
  db: Db | Trx,
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<ProjectRef | null> {
  const row = await db
    .selectFrom('projects')
    .select(['id', 'org_id', 'name', 'slug'])
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row ?? null
}
