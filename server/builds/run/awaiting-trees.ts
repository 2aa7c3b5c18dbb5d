import type { Db, Trx } from '../../db/database.ts'

/** Returns the git trees of a project's builds that wait for answers. The builds need these trees to continue. */
export async function treesOfAwaitingBuilds(db: Db | Trx, projectId: string): Promise<string[]> {
  const awaiting = db.selectFrom('runs').where('project_id', '=', projectId).where('status', '=', 'awaiting')
  // Read the fields of `input` here and not in SQL, because the json operators of Postgres throw for NUL and for half of a surrogate pair.
  const runs = await awaiting.select('input').execute()
  const steps = await db
    .selectFrom('run_steps')
    .select('tree')
    .where('run_id', 'in', awaiting.select('id'))
    .execute()
  const prepared = runs.flatMap(({ input }) => input.prepared ?? [])
  return [
    ...new Set([...steps.map(({ tree }) => tree), ...prepared.flatMap(({ base, start }) => [base, start])]),
  ]
}
