import { conversation, seenFiles } from '../../agent/loop/compaction.ts'
import type { Agent } from '../../agent/loop/agent.ts'
import { modelSettings } from '../../agent/model/models.ts'
import type { ModelStep } from '../../agent/loop/transcript.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import { enabledCapabilities } from '../../capability-state/enabled.ts'
import { findModelConnection, openChosenModel } from '../../connections/models/access.ts'
import { tokenFailure } from '../../connections/token-limits.ts'
import { fileLoader, acceptedModalities } from '../../attachments/model-files.ts'
import type { PreparedInput, RunRow } from '../../db/tables/runs.ts'
import { readTree } from '../../git/store.ts'
import { stopwatch } from '../../lib/clock.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../../platform.ts'
import type { PublishPorts } from '../../resources/work.ts'
import { isFromOutside } from '../../tickets/from-outside.ts'
import { readProject } from '../../projects/store.ts'
import { buildTools, mayEnableCapabilities } from './tools.ts'
import { prepareRun } from './prepare.ts'
import { createRunCheck } from './check.ts'
import { unreadSteering } from './steering.ts'
import { compactionStore } from './compaction-store.ts'
import { recordRun, tokensUsedBy } from './recorder.ts'
import { ticketAncestors } from '../../tickets/built-ticket.ts'
import { readTranscript } from './transcript.ts'

/**
 * Returns the agent of a claimed run: what it reads, its model and tools, and its files as the last stored step left them. Throws a
 * `ProviderError` when the model's connection was removed. Warms the processes that the agent's tools and check use.
 */
export async function openAgent(
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
    settings: modelSettings(run.provider, run.model, run.project_id),
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

async function loadConnection(platform: Core, run: RunRow) {
  const row = await findModelConnection(platform.db, run.org_id, run.connection_id ?? '')
  if (row === null)
    throw new ProviderError('model', 'The model this build was started with was disconnected.')
  return row
}
