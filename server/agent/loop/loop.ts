import type { LanguageModel, ModelMessage } from 'ai'
import { Braked, askFitting, fitPrompt, heed } from './ask.ts'
import { Brakes, type RunLimits } from './run-limits.ts'
import type { ModelRequest, ToolCall } from '../model/call.ts'
import type { CheckReport } from '../check/report.ts'
import { describeRed } from '../check/words.ts'
import type { Memory } from './compaction.ts'
import { ModelFailure } from '../model/failure.ts'
import type { FileRef, LoadFile } from './files.ts'
import type { BuildFrame, Failure, Question } from '../frames.ts'
import type { ModelSettings } from '../model/models.ts'
import { checkFrames, runToolCall } from './run-tool.ts'
import { type RunCheck, checkWorkspace } from '../tools/finish.ts'
import type { AgentTool } from '../tools/tool.ts'
import { type Step, said, textOf, toStep } from './transcript.ts'
import type { CallUsage } from '../model/usage.ts'
import type { FileChange, Workspace } from './workspace.ts'

/** What people say to a run while it is going on. */
interface Inbox {
  unread(): Promise<{ id: string; text: string; files?: FileRef[] }[]>
}

/** Where a run is written down. Each call is one transaction that fails when the run was taken over. */
export interface Recorder {
  frames(frames: BuildFrame[]): Promise<void>
  /** A model call ended: the step exists from here on and is never asked for again. It has read these inputs. */
  step(step: Step, frames: BuildFrame[], read: string[]): Promise<void>
  /** A call that came to nothing was paid for all the same. */
  failedCall(usage: CallUsage): Promise<void>
  /** The call of the step at `index` is about to run and must not run twice. */
  begin(step: Step, index: number): Promise<void>
  /** Tool calls of the step ended; `changes` names the files that are different now. */
  tools(
    step: Step,
    done: { changes: FileChange[]; report: CheckReport | null },
    frames: BuildFrame[],
  ): Promise<void>
}

/** Everything a run needs, as values: the loop knows no database, no HTTP and no domain. */
export interface Agent {
  key: string
  model: LanguageModel
  settings: ModelSettings
  instructions: string
  opening: ModelMessage[]
  tools: AgentTool[]
  workspace: Workspace
  runCheck: RunCheck
  steps: Step[]
  /** Where the files of messages come from; without it there are none. */
  loadFile?: LoadFile | undefined
  /** How a conversation that outgrows the model's window is shortened; without it the run ends there. */
  memory?: Memory | undefined
  inbox: Inbox
  /** What earlier attempts of the run have spent. */
  spent: CallUsage
  limits: RunLimits
  /** Milliseconds since the run began, by a clock that cannot be set. */
  elapsedMs: () => number
  signal: AbortSignal
  record: Recorder
  /** Shorter waits, for tests. */
  waitsMs?: readonly number[] | undefined
  timeouts?: ModelRequest['timeouts']
}

export type AgentEnd =
  | { kind: 'finished'; summary: string }
  | { kind: 'asked'; questions: Question[] }
  | { kind: 'replied'; message: string }
  | { kind: 'failed'; failure: Failure }

const NUDGE =
  'You wrote text and called no tool. If the work is done, call finish with a summary; otherwise go on.'

/**
 * Runs an agent to its end, from wherever its transcript stands: tool calls of the last step that were not carried
 * out are carried out, then the model is asked again. Throws only what is no result of the run itself: a
 * cancellation, a lost lease, a database that is away.
 */
export async function runAgent(agent: Agent): Promise<AgentEnd> {
  const { limits, elapsedMs, steps, spent } = agent
  const brakes = new Brakes({ limits, elapsedMs, steps, spent })
  try {
    for (;;) {
      const last = agent.steps.at(-1)
      if (last !== undefined) {
        const end = await concludeStep(agent, brakes, last)
        if (end !== null) return end
      }
      agent.steps.push(await nextStep(agent, brakes))
    }
  } catch (error) {
    if (error instanceof Braked) return { kind: 'failed', failure: error.failure }
    if (error instanceof ModelFailure)
      return { kind: 'failed', failure: { kind: error.kind, message: error.message } }
    throw error
  }
}

async function nextStep(agent: Agent, brakes: Brakes): Promise<Step> {
  const n = (agent.steps.at(-1)?.n ?? 0) + 1
  const inputs = await agent.inbox.unread()
  const isTextOnly = agent.steps.at(-1)?.calls.length === 0
  const notes = inputs.length > 0 ? inputs.map(({ text }) => said(text)) : isTextOnly ? [NUDGE] : []
  const files = inputs.flatMap((input) => input.files ?? [])
  const promptTokens = await fitPrompt(agent, { notes, files })
  const { windowTokens } = agent.settings
  const note = heed(brakes.beforeCall({ step: n, promptTokens, windowTokens }))
  if (note !== null) notes.push(note)
  const isLast = brakes.isLastStep(n)
  const { answer, unseen } = await askFitting(agent, brakes, { n, notes, files, isLast }).catch(
    (error: unknown) => {
      // Some models call a tool although none may be called any more; that is no result either.
      throw isLast && error instanceof ModelFailure ? new Braked(stepLimit(agent)) : error
    },
  )
  brakes.countUsage(answer.usage)
  const step = toStep(n, notes, answer, files)
  const { input, output, cacheRead, cacheWrite } = brakes.spent
  const read = inputs.map(({ id }) => id)
  const usage: BuildFrame = { type: 'usage', input, output, cacheRead, cacheWrite }
  await agent.record.step(step, [...unseen, usage], read)
  return step
}

/** Somebody spoke and the model may still be asked: then nothing it says or calls ends the run. */
async function isSpokenTo(agent: Agent, brakes: Brakes, step: Step): Promise<boolean> {
  return !brakes.isLastStep(step.n) && (await agent.inbox.unread()).length > 0
}

/** Carries out what the step still asks for and says whether the run is over. */
async function concludeStep(agent: Agent, brakes: Brakes, step: Step): Promise<AgentEnd | null> {
  if (step.calls.length === 0)
    return (await isSpokenTo(agent, brakes, step)) ? null : concludeText(agent, brakes, step)
  await runCalls(agent, brakes, step)
  const end = step.results.find((result) => result.end !== null)?.end ?? null
  if (end === null || (await isSpokenTo(agent, brakes, step))) return null
  if (end.kind === 'ask') return { kind: 'asked', questions: end.questions }
  return agent.workspace.isChanged
    ? { kind: 'finished', summary: end.summary }
    : { kind: 'replied', message: end.summary }
}

async function concludeText(agent: Agent, brakes: Brakes, step: Step): Promise<AgentEnd | null> {
  const text = textOf(step)
  const isLast = brakes.isLastStep(step.n)
  if (!agent.workspace.isChanged) {
    return isLast
      ? {
          kind: 'failed',
          failure: { kind: 'step_limit', message: `No result within ${agent.limits.steps} steps.` },
        }
      : { kind: 'replied', message: text }
  }
  const wasNudged = step.before.includes(NUDGE)
  if (!isLast && !wasNudged) return null
  const report = await checkWorkspace(agent.workspace, agent.runCheck, agent.signal)
  await agent.record.tools(step, { changes: [], report }, checkFrames(brakes.nextCheck(), report))
  if (report.ok) return { kind: 'finished', summary: text }
  const message = `The agent stopped although the app does not work yet: ${describeRed(report)}.`
  const stopped: Failure = { kind: 'check_failed', message }
  return { kind: 'failed', failure: isLast ? stepLimit(agent) : stopped }
}

interface Unstored {
  changes: FileChange[]
  report: CheckReport | null
  frames: BuildFrame[]
}

// A watcher sees a file this much later at most; the model's own words are gathered for as long.
const GATHER_MS = 25

/**
 * Tool calls one at a time in the model's order. What needs no time is stored with what comes after it: reads with
 * the next write, writes with the writes beside them, but nothing waits for a check.
 */
async function runCalls(agent: Agent, brakes: Brakes, step: Step): Promise<void> {
  let unstored: Unstored | null = null
  let gatheredSince = performance.now()
  const isQuick = (call: ToolCall | undefined) =>
    agent.tools.some(({ name, isQuick }) => isQuick && name === call?.name)
  for (const call of step.calls.slice(step.results.length)) {
    if (step.results.some((result) => result.end !== null)) break
    agent.signal.throwIfAborted()
    const late = brakes.beforeTool()
    if (late !== null) {
      if (unstored !== null) await agent.record.tools(step, unstored, unstored.frames)
      throw new Braked(late.failure)
    }
    const { outcome, record, frames, verdict } = await runCall(agent, brakes, step, call)
    step.results.push(record)
    const next: Unstored = {
      changes: [...(unstored?.changes ?? []), ...(outcome.change === undefined ? [] : [outcome.change])],
      report: outcome.report ?? unstored?.report ?? null,
      frames: [...(unstored?.frames ?? []), ...frames],
    }
    const isLast = step.results.length === step.calls.length
    const isGathering =
      isQuick(step.calls[step.results.length]) && performance.now() - gatheredSince < GATHER_MS
    const isWritten = next.changes.length > 0 && !isGathering
    const mustStore = isLast || verdict !== null || isWritten || outcome.end !== undefined
    if (mustStore) {
      await agent.record.tools(step, next, next.frames)
      gatheredSince = performance.now()
    }
    unstored = mustStore ? null : next
    if (verdict !== null) throw new Braked(verdict)
  }
}

/** One call; what must not run twice is written down first, and was it begun before, it does not run. */
async function runCall(agent: Agent, brakes: Brakes, step: Step, call: ToolCall) {
  const index = step.results.length
  const tool = agent.tools.find(({ name }) => name === call.name)
  const mayRepeat = call.problem !== null || tool === undefined || tool.isRepeatable
  const isInterrupted = !mayRepeat && step.begun === index
  if (!mayRepeat && !isInterrupted) await agent.record.begin(step, index)
  const mayEnd = async () => !(await isSpokenTo(agent, brakes, step))
  return runToolCall({ ...agent, mayEnd }, brakes, call, { isInterrupted })
}

function stepLimit({ limits, workspace: { lastReport } }: Agent): Failure {
  const reason = lastReport === null || lastReport.ok ? '.' : `: ${describeRed(lastReport)}.`
  return { kind: 'step_limit', message: `The agent did not finish within ${limits.steps} steps${reason}` }
}
