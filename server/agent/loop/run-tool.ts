import type { RunGuard } from './run-limits.ts'
import type { ToolCall } from '../model/call.ts'
import { type CheckReport, errorSignature } from '../check-report.ts'
import { type BuildFrame, type Failure, shownArgs } from '../frames.ts'
import { type AgentTool, type ToolOutcome, toolFailure } from '../tools/tool.ts'
import type { ToolRecord } from './transcript.ts'
import type { Workspace } from '../tools/workspace.ts'

const RESULT_CHARS_SHOWN = 500
const ERRORS_SHOWN = 3

export interface ToolCallResult {
  outcome: ToolOutcome
  record: ToolRecord
  frames: BuildFrame[]
  /** The reached limit, which ends the run; null without one. A warning before a limit is added to the result's text instead. */
  verdict: Failure | null
}

/** Runs one tool call. A failure of the tool is a result for the model and does not reject. */
export async function runToolCall(
  agent: {
    key: string
    tools: AgentTool[]
    workspace: Workspace
    signal: AbortSignal
    /** Returns false while a message of the user to the running build is unread. Then no result may end the run. */
    mayEnd(): Promise<boolean>
  },
  guard: RunGuard,
  call: ToolCall,
  { isInterrupted }: { isInterrupted: boolean },
): Promise<ToolCallResult> {
  const begun = performance.now()
  const repeated = call.problem === null ? guard.onCall(call.name, call.args, agent.workspace.hash) : null
  // When this tree was checked before, the report is cached and the stream already has the frames of the check.
  const isKnown = agent.workspace.reportOf(agent.workspace.hash) !== undefined
  const reached = isInterrupted ? interruptedOutcome(call) : await toolOutcome(agent, call)
  const outcome = reached.end === undefined || (await agent.mayEnd()) ? reached : withheldOutcome(reached)
  const verdicts = [
    repeated,
    guard.onResult(outcome.code ?? null),
    outcome.report === undefined ? null : guard.onCheck(outcome.report),
  ]
  const [failure] = verdicts.flatMap((item) => (item !== null && 'failure' in item ? [item.failure] : []))
  const notes = verdicts.flatMap((item) => (item !== null && 'note' in item ? [item.note] : []))
  const text = [outcome.text, ...notes].join('\n')
  const redReport = outcome.report?.ok === false ? outcome.report : null
  return {
    outcome,
    verdict: failure ?? null,
    record: {
      id: call.id,
      name: call.name,
      ok: outcome.ok,
      text,
      code: outcome.code ?? null,
      signature: redReport === null ? null : errorSignature(redReport),
      end: outcome.end ?? null,
    },
    frames: [
      ...toolFrames(call, outcome, text, Math.round(performance.now() - begun)),
      ...(outcome.report === undefined || isKnown ? [] : checkFrames(guard.nextCheck(), outcome.report)),
    ],
  }
}

/** An earlier attempt died during this call, perhaps because of the call. The model decides whether to repeat it. */
const interruptedOutcome = ({ name }: ToolCall): ToolOutcome =>
  toolFailure(
    'interrupted',
    `the service stopped while ${name} was running; make the call again if you still need it`,
  )

/** Replaces a result that would end the run while a user's message is unread, because the model must read the message first. */
function withheldOutcome({ report }: ToolOutcome): ToolOutcome {
  const held = toolFailure('interrupted', 'the user wrote to you meanwhile; read it first, then continue')
  return report === undefined ? held : { ...held, report }
}

async function toolOutcome(
  agent: { key: string; tools: AgentTool[]; signal: AbortSignal },
  call: ToolCall,
): Promise<ToolOutcome> {
  if (call.problem !== null) return toolFailure(call.problem.code, call.problem.message)
  const tool = agent.tools.find((item) => item.name === call.name)
  if (tool === undefined)
    return toolFailure('unknown_tool', `there is no tool named ${call.name.slice(0, 60)}`)
  const limit = AbortSignal.timeout(tool.timeoutMs)
  const signal = AbortSignal.any([agent.signal, limit])
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  try {
    return await Promise.race([tool.run(call.args, { key: `${agent.key}:${call.id}`, signal }), stopped])
  } catch (error) {
    agent.signal.throwIfAborted()
    if (!limit.aborted) throw error
    return toolFailure('timeout', `${call.name} took more than ${tool.timeoutMs / 1000} s`)
  }
}

function toolFrames(call: ToolCall, outcome: ToolOutcome, text: string, ms: number): BuildFrame[] {
  const frames: BuildFrame[] = [
    {
      type: 'tool',
      id: call.id,
      name: call.name,
      args: shownArgs(call.args),
      ok: outcome.ok,
      result: text.slice(0, RESULT_CHARS_SHOWN),
      ms,
      ...(outcome.code === undefined ? {} : { error: outcome.code }),
    },
  ]
  if (outcome.change !== undefined) frames.push({ type: 'file', ...outcome.change })
  if (outcome.end?.kind === 'ask') frames.push({ type: 'question', questions: outcome.end.questions })
  return frames
}

/** Returns one frame per phase of a check; `n` is the number of the check within the run. */
export function checkFrames(n: number, report: CheckReport): BuildFrame[] {
  return report.checks.map((check) => ({
    type: 'check',
    n,
    phase: check.name,
    ok: check.ok,
    ms: Math.round(check.ms),
    errorCount: check.errors.length,
    errors: check.errors.slice(0, ERRORS_SHOWN),
  }))
}
