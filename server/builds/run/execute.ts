import { sql } from 'kysely'
import { conversation, seenFiles } from '../../agent/loop/compaction.ts'
import type { Agent, AgentOutcome } from '../../agent/loop/agent.ts'
import { runAgent } from '../../agent/loop/loop.ts'
import { type ModelProvider, modelSettings } from '../../agent/model/models.ts'
import type { ModelStep } from '../../agent/loop/transcript.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import { findModelConnection, openChosenModel } from '../../connections/models/access.ts'
import { tokenFailure } from '../../connections/token-limits.ts'
import { fileLoader, acceptedModalities } from '../../attachments/model-files.ts'
import { isUnavailable } from '../../db/database.ts'
import type { PreparedInput, RunRow } from '../../db/tables/runs.ts'
import { readTree } from '../../git/store.ts'
import { ApiError } from '../../http/errors.ts'
import { stopwatch } from '../../lib/clock.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { PreviewPorts } from '../../releases/preview.ts'
import type { PublishPorts } from '../../resources/work.ts'
import { isFromOutside } from '../../tickets/from-outside.ts'
import { readProject } from '../../projects/store.ts'
import { buildTools, mayEnableCapabilities } from './tools.ts'
import { prepareRun } from './prepare.ts'
import { notifyRunControl } from '../run-control.ts'
import { createRunCheck } from './check.ts'
import { LeaseLostError } from '../stream/events.ts'
import { UnreadSteeringError, unreadSteering } from './steering.ts'
import { compactionStore } from './compaction-store.ts'
import { claimRun, startHeartbeat } from './lease.ts'
import { recordRun, tokensUsedBy } from './recorder.ts'
import { commitRun, publishRun, settleAwaiting, settleFailed, settleReplied } from './settle.ts'
import { findRunToExecute, recordDatabaseLoss } from './takeover.ts'
import { ticketAncestors } from '../../tickets/built-ticket.ts'
import { readTranscript } from './transcript.ts'

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

async function openAgent(
  platform: PlatformPorts<PublishPorts | 'jobs' | 'listener' | 'textWorkers'>,
  run: RunRow,
  signal: AbortSignal,
): Promise<Agent> {
  const [project, connection, enabled, tickets] = await Promise.all([
    readProject(platform.db, { orgId: run.org_id, projectId: run.project_id }),
    loadConnection(platform, run),
    enabledCapabilities(platform.db, run.project_id),
    ticketAncestors(platform.db, run),
  ])
  const isIngested = tickets.some(isFromOutside)
  const mayEnable = mayEnableCapabilities(run, isIngested)
  const prepared = await prepareRun(platform, run, { project, tickets, enabled, mayEnable, isIngested })
  const { steps, tree } = await readTranscript(platform.db, run.id)
  const at = tree ?? prepared.start
  const workspace = await openWorkspace(platform, run, { prepared, tree: at, enabled, steps })
  const runCheck = createRunCheck(platform, run)
  platform.checkers.warm()
  platform.textWorkers.warm()
  return {
    key: run.id,
    model: openChosenModel(platform, connection, run.model),
    settings: modelSettings(run.provider as ModelProvider, run.model, run.project_id),
    instructions: prepared.instructions,
    opening: prepared.opening,
    tools: buildTools({ platform, run, project, workspace, steps, isIngested, runCheck }),
    workspace,
    runCheck,
    steps,
    loadFile: fileLoader(platform, project),
    readsImages: acceptedModalities(connection, run.model).includes('images'),
    compactions: compactionStore(platform, run, { prepared, project, workspace }),
    steering: { unread: () => unreadSteering(platform.db, run) },
    spent: tokensUsedBy(run),
    limits: run.limits,
    mayCall: () => tokenFailure(platform, { orgId: run.org_id, ticketId: run.ticket_id }),
    elapsedMs: stopwatch(),
    signal,
    record: recordRun(platform, run, { workspace, tree: at }),
  }
}

async function openWorkspace(
  platform: Core,
  run: RunRow,
  state: { prepared: PreparedInput; tree: string; enabled: ReadonlySet<string>; steps: ModelStep[] },
): Promise<Workspace> {
  const { prepared, enabled, steps } = state
  const [base, tree] = await Promise.all([
    readTree(platform.db, run.project_id, prepared.base),
    readTree(platform.db, run.project_id, state.tree),
  ])
  const compaction = prepared.compaction ?? null
  const { steps: shownSteps } = conversation(prepared.opening, steps, compaction)
  const seen = seenFiles(compaction?.shown ?? prepared.shown, shownSteps)
  return new Workspace({ base, tree, enabled, seen })
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

async function loadConnection(platform: Core, run: RunRow) {
  const row = await findModelConnection(platform.db, run.org_id, run.connection_id ?? '')
  if (row === null)
    throw new ProviderError('model', 'The model this build was started with was disconnected.')
  return row
}
