import type { Agent, AgentOutcome } from './agent.ts'
import { LimitReachedError, applyVerdict, callModelWithinContext, fitPrompt } from './ask.ts'
import { RunGuard } from './run-limits.ts'
import type { ToolCall } from '../model/call.ts'
import { type CheckReport, describeFailedChecks } from '../check-report.ts'
import { ModelFailure } from '../model/failure.ts'
import type { BuildFrame, Failure } from '../frames.ts'
import { checkFrames, runToolCall } from './run-tool.ts'
import { checkWorkspace } from '../tools/finish.ts'
import { type ModelStep, steerNote, stepText, toStep } from './transcript.ts'
import type { FileChange } from '../tools/workspace.ts'

const NO_TOOL_REMINDER =
  'You wrote text and called no tool. If the work is done, call finish with a summary; otherwise continue.'

/**
 * Runs an agent to its end. Continues from the stored transcript: first the last step's tool calls without a result, then
 * model calls. Throws only errors that are not a result of the run: a cancellation, a lost lease, an unavailable database.
 */
export async function runAgent(agent: Agent): Promise<AgentOutcome> {
  const { limits, elapsedMs, steps, spent } = agent
  const guard = new RunGuard({ limits, elapsedMs, steps, spent })
  try {
    for (;;) {
      const last = agent.steps.at(-1)
      if (last !== undefined) {
        const end = await concludeStep(agent, guard, last)
        if (end !== null) return end
      }
      agent.steps.push(await nextStep(agent, guard))
    }
  } catch (error) {
    if (error instanceof LimitReachedError) return { kind: 'failed', failure: error.failure }
    if (error instanceof ModelFailure)
      return { kind: 'failed', failure: { kind: error.kind, message: error.message } }
    throw error
  }
}

async function nextStep(agent: Agent, guard: RunGuard): Promise<ModelStep> {
  const n = (agent.steps.at(-1)?.n ?? 0) + 1
  const inputs = await agent.steering.unread()
  const isTextOnly = agent.steps.at(-1)?.calls.length === 0
  const notes =
    inputs.length > 0 ? inputs.map(({ text }) => steerNote(text)) : isTextOnly ? [NO_TOOL_REMINDER] : []
  const files = inputs.flatMap((input) => input.files ?? [])
  const promptTokens = await fitPrompt(agent, { notes, files })
  const { windowTokens } = agent.settings
  const note = applyVerdict(guard.beforeCall({ step: n, promptTokens, windowTokens }))
  if (note !== null) notes.push(note)
  const isLast = guard.isLastStep(n)
  const { response, unseen } = await callModelWithinContext(agent, guard, { n, notes, files, isLast }).catch(
    (error: unknown) => {
      // Some models call a tool in the last step even though tools are not allowed there. The run then ends with the step limit.
      throw isLast && error instanceof ModelFailure ? new LimitReachedError(stepLimit(agent)) : error
    },
  )
  guard.countUsage(response.usage)
  const step = toStep(n, notes, response, files)
  const { input, output, cacheRead, cacheWrite } = guard.spent
  const read = inputs.map(({ id }) => id)
  const usage: BuildFrame = { type: 'usage', input, output, cacheRead, cacheWrite }
  await agent.record.step(step, [...unseen, usage], read)
  return step
}

/**
 * Returns whether an unread message of the user to the running build keeps the run open. Until the model has read the message, neither
 * text nor a tool call ends the run. False in the last step, after which the model is not called again.
 */
async function hasUnreadSteering(agent: Agent, guard: RunGuard, step: ModelStep): Promise<boolean> {
  return !guard.isLastStep(step.n) && (await agent.steering.unread()).length > 0
}

/** Runs the remaining tool calls of the step. Returns how the run ended; null when the run continues. */
async function concludeStep(agent: Agent, guard: RunGuard, step: ModelStep): Promise<AgentOutcome | null> {
  if (step.calls.length === 0)
    return (await hasUnreadSteering(agent, guard, step)) ? null : concludeText(agent, guard, step)
  await runCalls(agent, guard, step)
  const end = step.results.find((result) => result.end !== null)?.end ?? null
  if (end === null || (await hasUnreadSteering(agent, guard, step))) return null
  if (end.kind === 'ask') return { kind: 'asked', questions: end.questions }
  return agent.workspace.isChanged
    ? { kind: 'finished', summary: end.summary }
    : { kind: 'replied', message: end.summary }
}

async function concludeText(agent: Agent, guard: RunGuard, step: ModelStep): Promise<AgentOutcome | null> {
  const text = stepText(step)
  const isLast = guard.isLastStep(step.n)
  if (!agent.workspace.isChanged) {
    return isLast
      ? {
          kind: 'failed',
          failure: { kind: 'step_limit', message: `No result within ${agent.limits.steps} steps.` },
        }
      : { kind: 'replied', message: text }
  }
  const wasNudged = step.before.includes(NO_TOOL_REMINDER)
  if (!isLast && !wasNudged) return null
  const report = await checkWorkspace(agent.workspace, agent.runCheck, agent.signal)
  await agent.record.tools(step, { changes: [], report }, checkFrames(guard.nextCheck(), report))
  if (report.ok) return { kind: 'finished', summary: text }
  const message = `The agent stopped although the app does not work yet: ${describeFailedChecks(report)}.`
  const stopped: Failure = { kind: 'check_failed', message }
  return { kind: 'failed', failure: isLast ? stepLimit(agent) : stopped }
}

interface UnstoredWork {
  changes: FileChange[]
  report: CheckReport | null
  frames: BuildFrame[]
}

// File writes are collected for at most this long and stored together. Readers of the stream see the writes with this delay.
const COLLECT_WRITES_MS_MAX = 25

/**
 * Runs tool calls one at a time in the model's order. Quick calls share a transaction: reads with the next write, and consecutive
 * writes. Writes are stored before a slow call, such as a check, begins.
 */
async function runCalls(agent: Agent, guard: RunGuard, step: ModelStep): Promise<void> {
  let unstored: UnstoredWork | null = null
  let gatheredSince = performance.now()
  const isQuick = (call: ToolCall | undefined) =>
    agent.tools.some(({ name, isQuick }) => isQuick && name === call?.name)
  for (const call of step.calls.slice(step.results.length)) {
    if (step.results.some((result) => result.end !== null)) break
    agent.signal.throwIfAborted()
    const late = guard.beforeTool()
    if (late !== null) {
      if (unstored !== null) await agent.record.tools(step, unstored, unstored.frames)
      throw new LimitReachedError(late.failure)
    }
    const { outcome, record, frames, verdict } = await runCall(agent, guard, step, call)
    step.results.push(record)
    const next: UnstoredWork = {
      changes: [...(unstored?.changes ?? []), ...(outcome.change === undefined ? [] : [outcome.change])],
      report: outcome.report ?? unstored?.report ?? null,
      frames: [...(unstored?.frames ?? []), ...frames],
    }
    const isLast = step.results.length === step.calls.length
    const isGathering =
      isQuick(step.calls[step.results.length]) && performance.now() - gatheredSince < COLLECT_WRITES_MS_MAX
    const isWritten = next.changes.length > 0 && !isGathering
    const mustStore = isLast || verdict !== null || isWritten || outcome.end !== undefined
    if (mustStore) {
      await agent.record.tools(step, next, next.frames)
      gatheredSince = performance.now()
    }
    unstored = mustStore ? null : next
    if (verdict !== null) throw new LimitReachedError(verdict)
  }
}

/** Runs one call. A call that must not run twice is recorded before it runs, and skipped when an earlier attempt has begun it. */
async function runCall(agent: Agent, guard: RunGuard, step: ModelStep, call: ToolCall) {
  const index = step.results.length
  const tool = agent.tools.find(({ name }) => name === call.name)
  const mayRepeat = call.problem !== null || tool === undefined || tool.isRepeatable
  const isInterrupted = !mayRepeat && step.begun === index
  if (!mayRepeat && !isInterrupted) await agent.record.begin(step, index)
  const mayEnd = async () => !(await hasUnreadSteering(agent, guard, step))
  return runToolCall({ ...agent, mayEnd }, guard, call, { isInterrupted })
}

function stepLimit({ limits, workspace: { lastReport } }: Agent): Failure {
  const reason = lastReport === null || lastReport.ok ? '.' : `: ${describeFailedChecks(lastReport)}.`
  return { kind: 'step_limit', message: `The agent did not finish within ${limits.steps} steps${reason}` }
}
