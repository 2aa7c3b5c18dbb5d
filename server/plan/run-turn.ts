import { readFileSync } from 'node:fs'
import type { RunLimits } from '../agent/loop/run-limits.ts'
import type { BuildFrame, Failure } from '../agent/frames.ts'
import type { Recorder } from '../agent/loop/agent.ts'
import { runAgent } from '../agent/loop/loop.ts'
import { materialTag } from '../agent/prompts/material.ts'
import { modelSettings } from '../agent/model/models.ts'
import { readTools } from '../agent/tools/read.ts'
import { type AppTree, isLocked } from '../agent/source/tree.ts'
import { type CallUsage, NO_USAGE, addUsage } from '../agent/model/usage.ts'
import { Workspace } from '../agent/tools/workspace.ts'
import { storeTokenUsage } from '../usage/store-token-usage.ts'
import { enabledCapabilities } from '../capability-state/enabled.ts'
import { openChosenModel } from '../connections/models/access.ts'
import { tokenFailure } from '../connections/token-limits.ts'
import { fileLoader } from '../attachments/model-files.ts'
import { type Db, transact } from '../db/database.ts'
import type { ProjectRow } from '../projects/store.ts'
import { readCommit, readTree } from '../git/store.ts'
import { stopwatch } from '../lib/clock.ts'
import { planOpening } from './context.ts'
import type { PlanFrame } from './message.ts'
import type { OpenTurn } from './open-turn.ts'
import { readTicketTools } from './read-tools.ts'
import type { ReplyText } from './reply-text.ts'
import { capabilityLines, documentedCapabilities } from '../agent/prompts/guides.ts'
import type { Context } from '../endpoint.ts'
import type { Core } from '../platform.ts'
import { lockTurn, markOutside, usageText } from './turn-row.ts'
import { planWriteTools } from './write-tools.ts'

const PLAN_PROMPT = new URL('../agent/prompts/plan.md', import.meta.url)

/** Lower than a build's limits, because a person waits for the reply. */
const TURN_LIMITS: RunLimits = { steps: 20, tokens: 300_000, minutes: 5 }

/** Returns the plan agent's prompt. It lists the capabilities, so that the agent knows what a ticket can ask for. */
function planInstructions(): string {
  const capabilities = capabilityLines(documentedCapabilities())
  return `${readFileSync(PLAN_PROMPT, 'utf8').trim()}\n\n# What an app can be given\n\n${capabilities}`
}

/** Updated while the turn runs, so that a failed turn keeps the text that it has written. */
export interface TurnDraft {
  text: ReplyText
  usage: CallUsage
  onFrame(frame: PlanFrame): void
}

export const newDraft = (text: ReplyText, onFrame: TurnDraft['onFrame']): TurnDraft => ({
  text,
  usage: NO_USAGE,
  onFrame,
})

/** Runs the agent and collects its output in the draft. Returns null when the reply is complete, else the failure. */
export async function runTurn(
  ctx: Context<'accounts' | 'pool' | 'textWorkers'>,
  { project, chosen, reply }: OpenTurn,
  draft: TurnDraft,
  signal: AbortSignal,
): Promise<Failure | null> {
  const [tree, enabled] = await Promise.all([
    readApp(ctx.db, project),
    enabledCapabilities(ctx.db, project.id),
  ])
  const workspace = new Workspace({ base: tree, tree, enabled })
  const tag = materialTag(project.id)
  const today = ctx.clock.now().toISOString().slice(0, 10)
  const end = await runAgent({
    key: `${reply.id}:${reply.lease}`,
    model: openChosenModel(ctx, chosen.connection, chosen.modelId),
    settings: modelSettings(chosen.connection.provider, chosen.modelId, project.id),
    instructions: planInstructions(),
    opening: await planOpening(ctx.db, { project, chosen, tree, enabled, reply, tag, today }),
    loadFile: fileLoader(ctx, project),
    tools: [
      ...readTicketTools({ ctx, projectId: project.id, tag, onOutside: () => markOutside(ctx.db, reply) }),
      ...readTools(workspace, ctx.textWorkers.of(project.org_id)),
      ...planWriteTools(ctx, reply),
    ],
    workspace,
    runCheck: () => Promise.reject(new Error('a plan turn changes no files')),
    steps: [],
    steering: { unread: () => Promise.resolve([]) },
    spent: NO_USAGE,
    mayCall: () => tokenFailure(ctx, { orgId: project.org_id, ticketId: null }),
    limits: TURN_LIMITS,
    elapsedMs: stopwatch(),
    signal,
    record: recordTurn(ctx, { project, chosen, reply }, draft),
  })
  return end.kind === 'failed' ? end.failure : null
}

/**
 * Returns the files on main that the agent may write, without the platform files. Returns an empty map before the first
 * version.
 */
async function readApp(db: Db, project: ProjectRow): Promise<AppTree> {
  if (project.head_sha === null) return new Map()
  const { tree } = await readCommit(db, project.id, project.head_sha)
  const files = await readTree(db, project.id, tree)
  return new Map([...files].filter(([path]) => !isLocked(path)))
}

/** Frames are only sent to the clients that read the stream. Text and usage are stored after each model call. */
function recordTurn(ctx: Core, { project, chosen, reply }: OpenTurn, draft: TurnDraft): Recorder {
  const emitFrames = (given: BuildFrame[]) => {
    for (const item of given) {
      const frame = draft.text.read(item)
      if (frame !== null) draft.onFrame(frame)
    }
  }
  const recordUsage = async (usage: CallUsage) => {
    draft.usage = addUsage(draft.usage, usage)
    await transact(ctx.db, async (trx) => {
      await lockTurn(trx, reply)
      await trx
        .updateTable('plan_messages')
        .set({ text: String(draft.text), usage: usageText(draft.usage) })
        .where('org_id', '=', reply.org_id)
        .where('id', '=', reply.id)
        .execute()
      await storeTokenUsage(trx, {
        orgId: project.org_id,
        projectId: project.id,
        build: null,
        provider: chosen.connection.provider,
        model: chosen.modelId,
        usage,
        at: ctx.clock.now(),
      })
    })
  }
  return {
    frames: (given) => Promise.resolve(emitFrames(given)),
    step: async (step, given) => {
      // The last frames of a model call come together with its step, and `endStep` ends the text of the call.
      emitFrames(given)
      draft.text.endStep()
      await recordUsage(step.usage)
    },
    failedCall: recordUsage,
    // Nothing to store: when the process dies, no other process continues the reply.
    begin: () => Promise.resolve(),
    // Tools store their own changes, in the transaction of the change.
    tools: (_step, _done, given) => Promise.resolve(emitFrames(given)),
  }
}
