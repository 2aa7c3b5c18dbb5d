import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'

/** Returns the git trees with which a project's builds continue that wait for answers. */
export async function awaitingTrees(db: Db | Trx, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ tree: string }>`
    select distinct tree
    from runs r
      cross join lateral (
        select s.tree from run_steps s where s.run_id = r.id
        union all
        select value from json_each_text(r.input -> 'prepared') where key in ('base', 'start')
      ) as used (tree)
    where r.project_id = ${projectId} and r.status = 'awaiting'`.execute(db)
  return rows.map((row) => row.tree)
}
