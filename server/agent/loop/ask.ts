import { setTimeout as sleep } from 'node:timers/promises'
import { type ModelMessage, type ToolSet, tool } from 'ai'
import { type RunGuard, CONTEXT_FULL_FAILURE, type GuardVerdict } from './run-limits.ts'
import { type ModelResponse, type ModelRequest, callModel } from '../model/call.ts'
import {
  compact,
  conversation,
  reportedPromptTokens,
  isCompact,
  mustCompact,
  seenFiles,
} from './compaction.ts'
import { DeltaWriter } from './deltas.ts'
import { ModelFailure, toModelFailure } from '../model/failure.ts'
import { type FileRef, loadFiles, pictureMessages } from './files.ts'
import type { BuildFrame, Failure } from '../frames.ts'
import type { Agent } from './agent.ts'
import { withCacheMark } from '../model/models.ts'
import type { AgentTool } from '../tools/tool.ts'
import { markCache, promptChars, toMessages } from './transcript.ts'
import { estimateTokens } from '../model/usage.ts'

// A provider that requires a longer wait is unavailable, so the run fails instead of waiting.
const RETRY_AFTER_SECONDS_MAX = 120
const WAITS_MS = [1_000, 4_000, 10_000]
const CALL_ATTEMPTS = 3

/** A limit that ends the run. Thrown, because a limit can be reached at any call depth. */
export class LimitReachedError extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Throws `LimitReachedError` when the run guard found that the run must end. Returns the guard's note for the model, or null. */
export function applyVerdict(verdict: GuardVerdict): string | null {
  if (verdict === null) return null
  if ('failure' in verdict) throw new LimitReachedError(verdict.failure)
  return verdict.note
}

/**
 * Shortens the conversation when the next prompt would outgrow the window. Returns the prompt's size in tokens. Throws
 * `LimitReachedError` when the conversation cannot be shortened enough.
 */
export async function fitPrompt(agent: Agent, added: AddedInput): Promise<number> {
  const { windowTokens } = agent.settings
  if (mustCompact(promptTokens(agent, added), windowTokens))
    await shortenTranscript(agent, added, windowTokens)
  return promptTokens(agent, added)
}

interface AddedInput {
  notes: string[]
  files: FileRef[]
}

interface CallInput extends AddedInput {
  n: number
  isLast: boolean
}

/** `unseen` are the response's frames that are not stored yet. */
interface CallResult {
  response: ModelResponse
  unseen: BuildFrame[]
}

/** Calls the model. When the provider refuses the prompt as too long, calls the model again with a shorter prompt. */
export async function callModelWithinContext(
  agent: Agent,
  guard: RunGuard,
  input: CallInput,
): Promise<CallResult> {
  try {
    return await askModel(agent, guard, input, [{ type: 'step', n: input.n, limit: agent.limits.steps }])
  } catch (error) {
    if (!(error instanceof ModelFailure) || !error.isContextLength) throw error
    const tooMany = promptTokens(agent, input)
    await shortenTranscript(agent, input, Math.min(agent.settings.windowTokens, tooMany))
    await agent.record.frames([{ type: 'retry', step: input.n, waitMs: 0, reason: error.message }])
    return askModel(agent, guard, input, [])
  }
}

async function askModel(
  agent: Agent,
  guard: RunGuard,
  input: CallInput,
  announced: BuildFrame[],
): Promise<CallResult> {
  await requireModelCallAllowed(agent)
  // A failed write (the run was taken over, the database is unavailable) must also end the model call.
  const broken = new AbortController()
  const onFailure = (error: unknown) => broken.abort(error)
  const signal = AbortSignal.any([agent.signal, broken.signal])
  const { settings } = agent
  const { n, isLast } = input
  const messages = await loadFiles(messagesOf(agent, input), agent.loadFile)
  const pictures = agent.readsImages === true ? pictureMessages(agent.workspace.takePictures()) : []
  const deltas = new DeltaWriter(agent.record.frames, { announced, onFailure })
  const call = () =>
    callModel({
      model: agent.model,
      instructions: markedInstructions(agent),
      // Screenshots come after the cache marks, because they are sent only once. So the cached prefix stays valid.
      messages: [...markCache(messages, settings.cacheMark), ...pictures],
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
        guard.countUsage(error.usage)
        await agent.record.failedCall(error.usage).catch((cause: unknown) => broken.abort(cause))
        broken.signal.throwIfAborted()
      }
      throw error
    })
  const onRetry = async ({ waitMs, reason }: { waitMs: number; reason: string }) => {
    await deltas.flush()
    applyVerdict(guard.beforeTry(promptTokens(agent, input)))
    await requireModelCallAllowed(agent)
    await agent.record.frames([{ type: 'retry', step: n, waitMs, reason }])
  }
  // Stops a model that streams without end at the run's time limit.
  const late = setTimeout(() => broken.abort(new LimitReachedError(guard.timeLimit)), guard.timeLeftMs)
  const response = await withRetries(call, { signal, waitsMs: agent.waitsMs, onRetry })
    .catch(async (error: unknown) => {
      await deltas.flush()
      throw error
    })
    .finally(() => clearTimeout(late))
  const unseen = await deltas.takeRest()
  broken.signal.throwIfAborted()
  return { response, unseen }
}

async function requireModelCallAllowed(agent: Agent): Promise<void> {
  const failure = (await agent.mayCall?.()) ?? null
  if (failure !== null) throw new LimitReachedError(failure)
}

function markedInstructions(agent: Agent): ModelRequest['instructions'] {
  const { cacheMark } = agent.settings
  if (cacheMark === undefined) return agent.instructions
  return withCacheMark({ role: 'system', content: agent.instructions }, cacheMark)
}

/**
 * The tools have only descriptions and schemas. Without `execute` the SDK ends a model call at the tool calls, and the
 * loop runs the tools.
 */
function toolSet(tools: AgentTool[]): ToolSet {
  return Object.fromEntries(
    tools.map((item) => [item.name, tool({ description: item.description, inputSchema: item.input })]),
  ) as ToolSet
}

function messagesOf(agent: Agent, { notes, files }: AddedInput): ModelMessage[] {
  const { opening, steps } = conversation(agent.opening, agent.steps, agent.compactions?.current ?? null)
  return toMessages(opening, steps, notes, files)
}

/** Returns the tokens of the next prompt: an estimate from the characters, or the provider's count of the last prompt if it is larger. */
function promptTokens(agent: Agent, added: AddedInput): number {
  const estimate = estimateTokens(promptChars(agent.instructions, messagesOf(agent, added)))
  return Math.max(estimate, reportedPromptTokens(agent.steps, agent.compactions?.current ?? null, estimate))
}

/** Shortens the conversation to fit the window, at most once in a run. Throws `LimitReachedError` when it cannot be shortened. */
async function shortenTranscript(agent: Agent, added: AddedInput, windowTokens: number): Promise<void> {
  const { compactions, workspace } = agent
  if (compactions === undefined || compactions.current !== null)
    throw new LimitReachedError(CONTEXT_FULL_FAILURE)
  const chars = () => promptChars(agent.instructions, messagesOf(agent, added))
  const tokensPerChar = promptTokens(agent, added) / chars()
  const compaction = compact({ ...agent, snapshot: compactions.snapshot })
  compactions.current = compaction
  if (!isCompact(chars() * tokensPerChar, windowTokens)) throw new LimitReachedError(CONTEXT_FULL_FAILURE)
  await compactions.store(compaction)
  const { steps } = conversation(agent.opening, agent.steps, compaction)
  workspace.seen = seenFiles(compaction.shown, steps)
}

interface RetryOptions {
  signal: AbortSignal
  onRetry(retry: { waitMs: number; reason: string }): Promise<void>
  waitsMs?: readonly number[] | undefined
}

/** Tries a model call up to `CALL_ATTEMPTS` times. Throws the last `ModelFailure`. Throws a failure that is not retryable at once. */
async function withRetries<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (options.signal.aborted) throw error
      const failure = toModelFailure(error)
      const waitMs = waitBefore(failure, attempt, options.waitsMs ?? WAITS_MS)
      if (waitMs === null) throw failure
      await options.onRetry({ waitMs, reason: failure.message })
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted())
    }
  }
}

function waitBefore(failure: ModelFailure, attempt: number, waitsMs: readonly number[]): number | null {
  if (!failure.isRetryable || attempt >= CALL_ATTEMPTS) return null
  if (failure.retryAfterSeconds !== null) {
    return failure.retryAfterSeconds <= RETRY_AFTER_SECONDS_MAX ? failure.retryAfterSeconds * 1000 : null
  }
  const base = waitsMs[attempt - 1] ?? 0
  return Math.round(base * (0.75 + Math.random() * 0.5))
}
