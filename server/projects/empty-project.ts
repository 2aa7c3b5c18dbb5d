import type { Pool } from 'pg'
import { deleteInBatches, type DeletedRows } from '../db/purge.ts'

// Tables that can be large for a project, each before the one it references. Tables not listed are small and
// are deleted with the project's row. $1 is the organization, $2 the project.
const LARGE_TABLES: readonly DeletedRows[] = [
  ofRuns('run_events'),
  ofRuns('run_steps'),
  ofProject('token_usage'),
  { table: 'runs', rows: 'select ctid from runs where org_id = $1 and project_id = $2' },
  { table: 'tickets', rows: 'select ctid from tickets where org_id = $1 and project_id = $2' },
  ofProject('versions'),
  ofProject('git_objects'),
]

function ofRuns(table: string) {
  const rows = `select x.ctid from ${table} x join runs r on r.id = x.run_id where r.org_id = $1 and r.project_id = $2`
  return { table, rows }
}

function ofProject(table: string) {
  const rows = `select x.ctid from ${table} x join projects p on p.id = x.project_id where p.org_id = $1 and p.id = $2`
  return { table, rows }
}

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
