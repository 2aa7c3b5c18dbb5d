import { sql } from 'kysely'
import type { Agent, AgentOutcome } from '../../agent/loop/agent.ts'
import { runAgent } from '../../agent/loop/loop.ts'
import { isUnavailable } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { ApiError } from '../../http/errors.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { PreviewPorts } from '../../releases/preview.ts'
import type { PublishPorts } from '../../resources/work.ts'
import { openAgent } from './open-agent.ts'
import { notifyRunControl } from '../run-control.ts'
import { LeaseLostError } from '../stream/events.ts'
import { UnreadSteeringError } from './steering.ts'
import { claimRun, startHeartbeat } from './lease.ts'
import { commitRun, publishRun, settleAwaiting, settleFailed, settleReplied } from './settle.ts'
import { findRunToExecute, recordDatabaseLoss } from './takeover.ts'

/**
 * Executes one build job. Failures of the build are stored in its run. Throws only errors that a retry of the job can
 * fix: a stopping process or an unavailable database.
 */
export async function runBuild(
  platform: PlatformPorts<PublishPorts | 'jobs' | 'listener' | 'textWorkers' | 'metrics'>,
  runId: string,
  stopping: AbortSignal,
): Promise<void> {
  const work = await findRunToExecute(platform, runId, stopping)
  const run = work === null ? null : await claimRun(platform.db, work.id, platform.clock.now())
  if (run === null) return
  const alive = startHeartbeat(platform, run, stopping)
  try {
    await executeRun(platform, run, alive.signal)
  } catch (error) {
    if (stopping.aborted) await releaseRun(platform, run)
    else if (isUnavailable(error)) recordDatabaseLoss(run.id)
    if (stopping.aborted || isUnavailable(error)) throw error
    // The run was cancelled, or another process has taken it over. The end of this run is stored already.
    if (error instanceof LeaseLostError || alive.signal.aborted) return
    await settleFailed(platform, run, failureFrom(platform, run, error))
  } finally {
    alive.stop()
  }
}

async function executeRun(
  platform: PlatformPorts<PublishPorts | 'jobs' | 'listener' | 'textWorkers' | 'metrics'>,
  run: RunRow,
  signal: AbortSignal,
): Promise<void> {
  if (run.stage === 'publishing') return publishRun(platform, run, signal)
  const agent = await openAgent(platform, run, signal)
  for (;;) {
    const end = await runAgent(agent)
    try {
      return await concludeRun(platform, run, agent, end)
    } catch (error) {
      // The user sent a message to the running build at the last moment, so the agent continues and reads the message.
      if (!(error instanceof UnreadSteeringError)) throw error
    }
  }
}

async function concludeRun(
  platform: PlatformPorts<PreviewPorts | 'textWorkers' | 'metrics'>,
  run: RunRow,
  agent: Agent,
  end: AgentOutcome,
): Promise<void> {
  const mayContinue = (agent.steps.at(-1)?.n ?? 0) < agent.limits.steps
  switch (end.kind) {
    case 'finished': {
      const { summary } = end
      const committed = await commitRun(platform, run, agent.workspace, { summary, mayContinue })
      return publishRun(platform, committed, agent.signal)
    }
    case 'asked':
      return settleAwaiting(platform, run, { questions: end.questions, mayContinue })
    case 'replied':
      return settleReplied(platform, run, { message: end.message, mayContinue })
    case 'failed':
      return settleFailed(platform, run, end.failure)
  }
}

/** Converts an error to the failure of a run. An unexpected error is logged, and its text is not shown to the user. */
function failureFrom(platform: Core, run: RunRow, error: unknown) {
  if (error instanceof ApiError || error instanceof ProviderError) {
    const kind = error instanceof ProviderError ? ('model_error' as const) : ('server_error' as const)
    return { kind, message: error.message }
  }
  platform.log.error({ err: error, run: run.id }, 'build failed')
  return {
    kind: 'server_error' as const,
    message: 'Something went wrong on our side. Start the build again.',
  }
}

/**
 * Releases the run of a stopping process. Notifies the readers of its stream, and clears the heartbeat, so that the
 * next process need not wait until the heartbeat is stale.
 */
async function releaseRun(platform: Core, run: RunRow): Promise<void> {
  await platform.db
    .with('own', (db) =>
      db
        .updateTable('runs')
        .set({ heartbeat_at: sql<Date | null>`null` })
        .where('id', '=', run.id)
        .where('lease', '=', run.lease)
        .returning('id'),
    )
    // This process stops for another reason than the tool call, so the call may be repeated.
    .updateTable('run_steps')
    .set({ begun: null })
    .where('run_id', 'in', (eb) => eb.selectFrom('own').select('own.id'))
    .where('begun', 'is not', null)
    .execute()
  await notifyRunControl(platform.db, { kind: 'released', runId: run.id })
}
