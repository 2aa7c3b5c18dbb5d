import type { Pool } from 'pg'

const BATCH = 5_000

// The tables of a project that can be large, each before the one it hangs on. What is not listed is small and goes
// with the project's row. $1 is the organization, $2 the project.
const LARGE_TABLES: readonly { table: string; rows: string }[] = [
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
 * Removes what a project has much of, in transactions of 5,000 rows, so that no lock and no statement lasts long.
 * Answers false when the signal came first; the next call goes on.
 */
export async function emptyProject(
  pool: Pool,
  project: { id: string; org_id: string },
  signal: AbortSignal,
): Promise<boolean> {
  for (const { table, rows } of LARGE_TABLES) {
    const statement = `delete from ${table} where ctid = any(array(${rows} limit ${BATCH}))`
    for (let deleted = BATCH; deleted === BATCH;) {
      if (signal.aborted) return false
      deleted = (await pool.query(statement, [project.org_id, project.id])).rowCount ?? 0
    }
  }
  return true
}
