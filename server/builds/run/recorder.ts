import type { QueryCreator } from 'kysely'
import type { Recorder } from '../../agent/loop/agent.ts'
import { type CallUsage, NO_USAGE, addUsage } from '../../agent/model/usage.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { type Trx, transact } from '../../db/database.ts'
import type { Schema } from '../../db/schema.ts'
import { json } from '../../db/json.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { settingRef, writeTree } from '../../git/store.ts'
import type { Core } from '../../platform.ts'
import { LeaseLostError, appendRunEvents } from '../stream/events.ts'
import { markSteeringRead } from './steering.ts'
import { storedChecks } from '../run-record.ts'
import { storeTokenUsage } from '../../usage/store-token-usage.ts'
import { insertStep, markBegun, updatingStep } from './transcript.ts'
import { lockLeasedRun } from './lease.ts'

/**
 * Returns the recorder of a run. Each of its calls is one transaction, which throws `LeaseLostError` when another process has taken the run
 * over.
 */
export function recordRun(
  platform: Core,
  run: RunRow,
  state: { workspace: Workspace; tree: string },
): Recorder {
  let { tree } = state
  let spent = tokensUsedBy(run)
  let stored: ReadonlySet<string> = new Set()
  const now = () => platform.clock.now()
  /** Counts a call's tokens for the project and the run, in the transaction that stores the call's result. */
  const countTokens = async (trx: Trx, usage: CallUsage, at: Date, also: { stage?: 'tools' } = {}) => {
    const { input, output, cacheRead, cacheWrite } = addUsage(spent, usage)
    const sum = json({ input, output, cacheRead, cacheWrite })
    await trx
      .updateTable('runs')
      .set({ usage: sum, ...also })
      .where('id', '=', run.id)
      .execute()
    await storeTokenUsage(trx, { ...calledBy(run), usage, at })
  }
  return {
    frames: async (frames) => void (await appendRunEvents(platform.db, run, frames, now())),
    step: async (step, frames, read) => {
      await transact(platform.db, async (trx) => {
        const at = now()
        await appendRunEvents(trx, run, frames, at)
        await insertStep(trx, run.id, step, tree, at)
        await markSteeringRead(trx, run, read)
        await countTokens(trx, step.usage, at, { stage: 'tools' })
      })
      spent = addUsage(spent, step.usage)
    },
    failedCall: async (usage) => {
      await transact(platform.db, async (trx) => {
        await lockLeasedRun(trx, run)
        await countTokens(trx, usage, now())
      })
      spent = addUsage(spent, usage)
    },
    begin: async (step, index) => {
      if (!(await markBegun(platform.db, run, step, index))) throw new LeaseLostError(run.id)
    },
    tools: async (step, { changes, report }, frames) => {
      const written = await transact(platform.db, async (trx) => {
        const at = now()
        await appendRunEvents(trx, run, frames, at)
        // A copy, because the retry after a deadlock must write the rolled-back objects again.
        const objects = new Set(stored)
        const next =
          changes.length === 0
            ? tree
            : await writeTree(trx, run.project_id, state.workspace.tree, at, objects)
        const isComplete = step.results.length >= step.calls.length
        const draft = { name: draftRef(run.id), to: next, at }
        // A single statement, because a model writes dozens of files and waits for this transaction after each file.
        const withStep = trx.with('step', (db) => updatingStep(db, run.id, step, next).returning('step'))
        const progress: QueryCreator<Schema> =
          next === tree
            ? withStep
            : withStep.with('draft', (db) => settingRef(db, run.project_id, draft).returning('oid'))
        await progress
          .updateTable('runs')
          .set({
            stage: isComplete ? 'model' : 'tools',
            ...(report === null ? {} : { checks: json(storedChecks(report)) }),
          })
          .where('id', '=', run.id)
          .execute()
        return { tree: next, objects }
      })
      tree = written.tree
      stored = written.objects
    },
  }
}

/**
 * The ref keeps a run's tree from being deleted until it reaches main or is two weeks old; a later build of the ticket can
 * start from it.
 */
export const draftRef = (runId: string) => `refs/runs/${runId}`

/** Returns the tokens that the run has used, earlier attempts included. */
export const tokensUsedBy = (run: RunRow): CallUsage => ({ ...NO_USAGE, ...run.usage })

const calledBy = (run: RunRow) => ({
  orgId: run.org_id,
  projectId: run.project_id,
  build: { runId: run.id, ticketId: run.ticket_id },
  provider: run.provider,
  model: run.model,
})
