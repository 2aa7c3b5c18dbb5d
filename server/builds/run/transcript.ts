import type { QueryCreator } from 'kysely'
import type { ModelStep } from '../../agent/loop/transcript.ts'
import type { Db, Trx } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'

/** Returns the steps of a run. `tree` is the tree after the last complete tool call. */
export async function readTranscript(
  db: Db | Trx,
  runId: string,
): Promise<{ steps: ModelStep[]; tree: string | null }> {
  const rows = await db
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .orderBy('step')
    .execute()
  const steps = rows.map((row) => ({
    n: row.step,
    ...JSON.parse(row.message),
    results: JSON.parse(row.results),
    usage: JSON.parse(row.usage),
    ...(row.begun === null ? {} : { begun: row.begun }),
  }))
  return { steps, tree: rows.at(-1)?.tree ?? null }
}

export async function insertStep(
  trx: Trx,
  runId: string,
  step: ModelStep,
  tree: string,
  at: Date,
): Promise<void> {
  const { before, files, message, calls } = step
  await trx
    .insertInto('run_steps')
    .values({
      run_id: runId,
      step: step.n,
      message: JSON.stringify({ before, ...(files && { files }), message, calls }),
      results: JSON.stringify(step.results),
      tree,
      usage: JSON.stringify(step.usage),
      created_at: at,
      begun: null,
    })
    .execute()
}

export async function updateStep(trx: Trx, runId: string, step: ModelStep, tree: string): Promise<void> {
  await updatingStep(trx, runId, step, tree).execute()
}

/** Returns the update of a step as part of a larger statement, which saves a round trip to the database. */
export const updatingStep = (db: QueryCreator<Schema>, runId: string, step: ModelStep, tree: string) =>
  db
    .updateTable('run_steps')
    .set({ results: JSON.stringify(step.results), tree })
    .where('run_id', '=', runId)
    .where('step', '=', step.n)

/** Records that a tool call is about to run. Returns false when another process has taken the run over; the call must then not run. */
export async function markBegun(
  db: Db,
  run: { id: string; lease: number },
  step: ModelStep,
  index: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('run_steps')
    .set({ begun: index })
    .where('run_id', '=', run.id)
    .where('step', '=', step.n)
    .where((eb) =>
      eb.exists(eb.selectFrom('runs').select('id').where('id', '=', run.id).where('lease', '=', run.lease)),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function copyTranscript(trx: Trx, from: string, to: string): Promise<void> {
  await trx
    .insertInto('run_steps')
    .columns(['run_id', 'step', 'message', 'results', 'tree', 'usage', 'created_at', 'begun'])
    .expression((eb) =>
      eb
        .selectFrom('run_steps')
        .select((one) => [
          one.val(to).as('run_id'),
          'step',
          'message',
          'results',
          'tree',
          'usage',
          'created_at',
          'begun',
        ])
        .where('run_id', '=', from),
    )
    .execute()
}
