import { sql } from 'kysely'
import { conversation, knownFiles } from '../agent/compaction.ts'
import { type Agent, type AgentEnd, runAgent } from '../agent/loop.ts'
import { type ModelProvider, modelSettings } from '../agent/models.ts'
import { type RunCheck, endTools } from '../agent/tools/finish.ts'
import { readTools } from '../agent/tools/read.ts'
import type { AgentTool } from '../agent/tools/tool.ts'
import { writeTools } from '../agent/tools/write.ts'
import type { Step } from '../agent/transcript.ts'
import { Workspace } from '../agent/workspace.ts'
import { enabledCapabilities } from '../capabilities/switch/enabled.ts'
import { openChosenModel, readLimits } from '../connections/model-access.ts'
import { fileLoader } from '../connections/model-files.ts'
import { isUnavailable } from '../db/database.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import { readTree } from '../git/store.ts'
import { ApiError } from '../http/errors.ts'
import { stopwatch } from '../lib/clock.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Platform } from '../platform.ts'
import { isFromOutside } from '../tickets/from-outside.ts'
import { logsTool } from './logs-tool.ts'
import { prepareRun } from './prepare.ts'
import { readPreviewErrors } from './preview-errors.ts'
import { type ProjectRow, mayEnableCapabilities, projectTools } from './project-tools.ts'
import { tellRunNews } from './run-control.ts'
import { checkOf } from './run-check.ts'
import { LeaseLost } from './run-events.ts'
import type { PreparedInput } from './run-input.ts'
import { SpokenTo, unreadNotes } from './run-inputs.ts'
import { memoryOf } from './run-memory.ts'
import { claimRun, keepAlive, recordRun, spentBy } from './run-session.ts'
import { commitRun, publishRun, settleAwaiting, settleFailed, settleReplied } from './settle.ts'
import { shipFromRun } from './ship-run.ts'
import { findWork, noteOutage } from './takeover.ts'
import { readTicketLine } from './ticket-line.ts'
import { readTranscript } from './transcript-store.ts'

/**
 * The work of one build job. What goes wrong in the build is written into its run; only what another try can mend
 * (a stopping process, a database that is away) is thrown.
 */
export async function runBuild(platform: Platform, runId: string, stopping: AbortSignal): Promise<void> {
  const work = await findWork(platform, runId)
  const run = work === null ? null : await claimRun(platform.db, work.id, platform.clock.now())
  if (run === null) return
  const alive = keepAlive(platform, run, stopping)
  try {
    await carryOut(platform, run, alive.signal)
  } catch (error) {
    if (stopping.aborted) await handBack(platform, run)
    else if (isUnavailable(error)) noteOutage(run.id)
    if (stopping.aborted || isUnavailable(error)) throw error
    // Cancelled, or taken over by another process: whoever did that has written down how it ended.
    if (error instanceof LeaseLost || alive.signal.aborted) return
    await settleFailed(platform, run, failureFrom(platform, run, error))
  } finally {
    alive.stop()
  }
}

async function carryOut(platform: Platform, run: RunsTable, signal: AbortSignal): Promise<void> {
  if (run.stage === 'publishing') return publishRun(platform, run)
  const agent = await openAgent(platform, run, signal)
  for (;;) {
    const end = await runAgent(agent)
    try {
      return await concludeRun(platform, run, agent, end)
    } catch (error) {
      // Somebody spoke at the last moment: the agent goes on and reads it.
      if (!(error instanceof SpokenTo)) throw error
    }
  }
}

async function concludeRun(platform: Platform, run: RunsTable, agent: Agent, end: AgentEnd): Promise<void> {
  const mayGoOn = (agent.steps.at(-1)?.n ?? 0) < agent.limits.steps
  switch (end.kind) {
    case 'finished': {
      const { summary } = end
      return publishRun(platform, await commitRun(platform, run, agent.workspace, { summary, mayGoOn }))
    }
    case 'asked':
      return settleAwaiting(platform, run, { questions: end.questions, mayGoOn })
    case 'replied':
      return settleReplied(platform, run, { message: end.message, mayGoOn })
    case 'failed':
      return settleFailed(platform, run, end.failure)
  }
}

async function openAgent(platform: Platform, run: RunsTable, signal: AbortSignal): Promise<Agent> {
  const [project, connection, enabled, line] = await Promise.all([
    loadProject(platform, run),
    loadConnection(platform, run),
    enabledCapabilities(platform.db, run.project_id),
    readTicketLine(platform.db, run),
  ])
  const isIngested = line.some(isFromOutside)
  const mayEnable = mayEnableCapabilities(run, isIngested)
  const prepared = await prepareRun(platform, run, { project, line, enabled, mayEnable })
  const { steps, tree } = await readTranscript(platform.db, run.id)
  const at = tree ?? prepared.start
  const workspace = await openWorkspace(platform, run, { prepared, tree: at, enabled, steps })
  const runCheck = checkOf(platform, run)
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
    memory: memoryOf(platform, run, { prepared, project, workspace }),
    inbox: { unread: () => unreadNotes(platform.db, run) },
    spent: spentBy(run),
    limits: readLimits(run.limits),
    elapsedMs: stopwatch(),
    signal,
    record: recordRun(platform, run, { workspace, tree: at }),
  }
}

function buildTools(input: {
  platform: Platform
  run: RunsTable
  project: ProjectRow
  workspace: Workspace
  steps: Step[]
  isIngested: boolean
  runCheck: RunCheck
}): AgentTool[] {
  const { platform, run, workspace, steps, runCheck } = input
  const textWorkers = platform.textWorkers.of(run.org_id)
  const ship = (call: { key: string; signal: AbortSignal }) => shipFromRun(platform, run, workspace, call)
  return [
    ...readTools(workspace, textWorkers),
    ...writeTools(workspace, textWorkers),
    logsTool(workspace, () => readPreviewErrors(platform.db, run.ticket_id)),
    ...endTools(workspace, { runCheck, mayAsk: () => refuseQuestion(workspace, steps) }),
    ...projectTools({ ...input, ship }),
  ]
}

function refuseQuestion(workspace: Workspace, steps: Step[]): string | null {
  if (workspace.isChanged) return 'files were changed already; decide yourself, and say so in the summary'
  const hasAsked = steps.some((step) =>
    step.results.some((result) => result.name === 'ask_user' && result.ok),
  )
  return hasAsked ? 'you asked already; decide yourself, and say so in the summary' : null
}

async function openWorkspace(
  platform: Platform,
  run: RunsTable,
  state: { prepared: PreparedInput; tree: string; enabled: ReadonlySet<string>; steps: Step[] },
): Promise<Workspace> {
  const { prepared, enabled, steps } = state
  const [base, tree] = await Promise.all([
    readTree(platform.db, run.project_id, prepared.base),
    readTree(platform.db, run.project_id, state.tree),
  ])
  const compaction = prepared.compaction ?? null
  // Whatever a call named successfully was read or written by it.
  const known = knownFiles(
    compaction?.shown ?? prepared.shown,
    conversation(prepared.opening, steps, compaction).steps,
  )
  return new Workspace({ base, tree, enabled, known })
}

/** Our own part failed. The caller reads a sentence, the log keeps the cause. */
function failureFrom(platform: Platform, run: RunsTable, error: unknown) {
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

/** The process stops: readers are told at once, and the next process does not wait for the heartbeat to go stale. */
async function handBack(platform: Platform, run: RunsTable): Promise<void> {
  await platform.db
    .with('own', (db) =>
      db
        .updateTable('runs')
        .set({ heartbeat_at: sql<Date | null>`null` })
        .where('id', '=', run.id)
        .where('lease', '=', run.lease)
        .returning('id'),
    )
    // The process ended the call that was running, not the call the process: it may be repeated.
    .updateTable('run_steps')
    .set({ begun: null })
    .where('run_id', 'in', (eb) => eb.selectFrom('own').select('own.id'))
    .where('begun', 'is not', null)
    .execute()
  await tellRunNews(platform.db, { kind: 'handed-back', runId: run.id })
}

async function loadProject(platform: Platform, run: RunsTable): Promise<ProjectRow> {
  return platform.db
    .selectFrom('projects')
    .selectAll()
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.project_id)
    .executeTakeFirstOrThrow()
}

async function loadConnection(platform: Platform, run: RunsTable) {
  const row = await platform.db
    .selectFrom('model_connections')
    .selectAll()
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.connection_id ?? '')
    .executeTakeFirst()
  if (row === undefined)
    throw new ProviderError('model', 'The model this build was started with was disconnected.')
  return row
}
