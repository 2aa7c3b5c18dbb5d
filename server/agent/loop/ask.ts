import { type ModelMessage, type ToolSet, tool } from 'ai'
import { type Brakes, NO_ROOM, type Verdict } from './run-limits.ts'
import { type ModelAnswer, type ModelRequest, callModel } from '../model/call.ts'
import { compact, conversation, countedBy, isCompact, knownFiles, mustCompact } from './compaction.ts'
import { DeltaWriter } from './deltas.ts'
import { ModelFailure } from '../model/failure.ts'
import { type FileRef, loadFiles } from './files.ts'
import type { BuildFrame, Failure } from '../frames.ts'
import type { Agent } from './loop.ts'
import { withCacheMark } from '../model/models.ts'
import { withRetries } from './retry.ts'
import type { AgentTool } from '../tools/tool.ts'
import { markCache, promptChars, toMessages } from './transcript.ts'
import { estimateTokens } from '../model/usage.ts'

/** A brake that ends the run, thrown because it may take hold at any depth. */
export class Braked extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** The note of a verdict; a failing verdict ends the run. */
export function heed(verdict: Verdict): string | null {
  if (verdict === null) return null
  if ('failure' in verdict) throw new Braked(verdict.failure)
  return verdict.note
}

/** Makes sure that the prompt of the next call leaves room in the model's window; answers its size in tokens. */
export async function fitPrompt(agent: Agent, news: News): Promise<number> {
  const { windowTokens } = agent.settings
  if (mustCompact(promptTokens(agent, news), windowTokens)) await shorten(agent, news, windowTokens)
  return promptTokens(agent, news)
}

/** What the next call adds to the conversation. */
interface News {
  notes: string[]
  files: FileRef[]
}

interface Asked extends News {
  n: number
  isLast: boolean
}

/** What the model said, and what of it no watcher has seen yet. */
interface Heard {
  answer: ModelAnswer
  unseen: BuildFrame[]
}

/** Asks the model; when it says that the prompt is too long for it, once more with a shorter one. */
export async function askFitting(agent: Agent, brakes: Brakes, asked: Asked): Promise<Heard> {
  try {
    return await askModel(agent, brakes, asked, [{ type: 'step', n: asked.n, limit: agent.limits.steps }])
  } catch (error) {
    if (!(error instanceof ModelFailure) || !error.isContextLength) throw error
    const tooMany = promptTokens(agent, asked)
    await shorten(agent, asked, Math.min(agent.settings.windowTokens, tooMany))
    await agent.record.frames([{ type: 'retry', step: asked.n, waitMs: 0, reason: error.message }])
    return askModel(agent, brakes, asked, [])
  }
}

async function askModel(agent: Agent, brakes: Brakes, asked: Asked, announced: BuildFrame[]): Promise<Heard> {
  // A write that fails (the run was taken over, the database is away) must end the model call as well.
  const broken = new AbortController()
  const onFailure = (error: unknown) => broken.abort(error)
  // A model that streams without end is stopped when the time of the run is over.
  const late = setTimeout(() => broken.abort(new Braked(brakes.timeLimit)), brakes.timeLeftMs)
  const signal = AbortSignal.any([agent.signal, broken.signal])
  const { settings } = agent
  const { n, isLast } = asked
  const messages = await loadFiles(messagesOf(agent, asked), agent.loadFile)
  const deltas = new DeltaWriter(agent.record.frames, { announced, onFailure })
  const call = () =>
    callModel({
      model: agent.model,
      instructions: markedInstructions(agent),
      messages: markCache(messages, settings.cacheMark),
      tools: toolSet(agent.tools),
      toolOrder: agent.tools.map((item) => item.name),
      toolChoice: isLast ? 'none' : 'auto',
      maxOutputTokens: settings.maxOutputTokens,
      providerOptions: settings.providerOptions,
      signal,
      onDelta: (delta) => deltas.add(delta),
      timeouts: agent.timeouts,
    }).catch(async (error: unknown) => {
      if (error instanceof ModelFailure && error.usage !== null) {
        brakes.countUsage(error.usage)
        await agent.record.failedCall(error.usage).catch((cause: unknown) => broken.abort(cause))
        broken.signal.throwIfAborted()
      }
      throw error
    })
  const onRetry = async ({ waitMs, reason }: { waitMs: number; reason: string }) => {
    await deltas.flush()
    heed(brakes.beforeTry(promptTokens(agent, asked)))
    await agent.record.frames([{ type: 'retry', step: n, waitMs, reason }])
  }
  const answer = await withRetries(call, { signal, waitsMs: agent.waitsMs, onRetry })
    .catch(async (error: unknown) => {
      await deltas.flush()
      throw error
    })
    .finally(() => clearTimeout(late))
  const unseen = await deltas.takeRest()
  broken.signal.throwIfAborted()
  return { answer, unseen }
}

function markedInstructions(agent: Agent): ModelRequest['instructions'] {
  const { cacheMark } = agent.settings
  if (cacheMark === undefined) return agent.instructions
  return withCacheMark({ role: 'system', content: agent.instructions }, cacheMark)
}

/** Descriptions and schemas only: without `execute` the SDK ends a call at its tool calls. */
function toolSet(tools: AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map((item) => [item.name, tool({ description: item.description, inputSchema: item.input })]),
  ) as ToolSet
}

function messagesOf(agent: Agent, { notes, files }: News): ModelMessage[] {
  const { opening, steps } = conversation(agent.opening, agent.steps, agent.memory?.compaction ?? null)
  return toMessages(opening, steps, notes, files)
}

/** What the next call will be charged for: by its characters, or by the provider's own count of the last one. */
function promptTokens(agent: Agent, news: News): number {
  const estimate = estimateTokens(promptChars(agent.instructions, messagesOf(agent, news)))
  return Math.max(estimate, countedBy(agent.steps, agent.memory?.compaction ?? null, estimate))
}

/** Shortens the conversation, once in a run, to what leaves room in the window; the run ends when that fails. */
async function shorten(agent: Agent, news: News, windowTokens: number): Promise<void> {
  const { memory, workspace } = agent
  if (memory === undefined || memory.compaction !== null) throw new Braked(NO_ROOM)
  const chars = () => promptChars(agent.instructions, messagesOf(agent, news))
  const tokensPerChar = promptTokens(agent, news) / chars()
  const compaction = compact({ ...agent, snapshot: memory.snapshot })
  memory.compaction = compaction
  if (!isCompact(chars() * tokensPerChar, windowTokens)) throw new Braked(NO_ROOM)
  await memory.store(compaction)
  workspace.known.clear()
  const { steps } = conversation(agent.opening, agent.steps, compaction)
  for (const path of knownFiles(compaction.shown, steps)) workspace.known.add(path)
}
