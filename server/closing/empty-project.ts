import type { Pool } from 'pg'
import { RUNS_OF_PROJECT } from '../builds/runs.ts'
import { deleteInBatches, type DeletedRows } from '../db/purge.ts'
import { rowsOfProject } from '../projects/store.ts'

// Tables that can be large for a project, each before the one that it references. Other tables are small and are deleted with the project's
// row. $1 is the organization, $2 the project.
const LARGE_TABLES: readonly DeletedRows[] = [
  ...RUNS_OF_PROJECT,
  rowsOfProject('token_usage'),
  rowsOfProject('tickets'),
  rowsOfProject('versions'),
  rowsOfProject('git_objects'),
]

/**
 * Deletes a project's large tables in transactions of 5,000 rows, so that no lock or statement takes long.
 * Returns false when the signal was aborted first; the next call continues.
 */
export function emptyProject(
  pool: Pool,
  project: { id: string; org_id: string },
  signal: AbortSignal,
): Promise<boolean> {
  return deleteInBatches(pool, LARGE_TABLES, [project.org_id, project.id], signal)
}
