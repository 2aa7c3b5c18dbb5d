import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import type { RunLimits } from '../loop/run-limits.ts'
import type { CheckReport } from '../check-report.ts'
import type { Compaction, CompactionStore } from '../loop/compaction.ts'
import type { BuildFrame } from '../frames.ts'
import type { Agent, AgentOutcome } from '../loop/agent.ts'
import { type ModelSettings, modelSettings } from '../model/models.ts'
import { endTools } from '../tools/finish.ts'
import { textWorkers } from '../../testing/text-workers.ts'
import { readTools } from '../tools/read.ts'
import { writeTools } from '../tools/write.ts'
import type { ModelStep } from '../loop/transcript.ts'
import { type CallUsage, NO_USAGE } from '../model/usage.ts'
import { SeenFiles } from '../tools/seen-files.ts'
import { Workspace } from '../tools/workspace.ts'

export type Turn = {
  text?: string
  calls?: [name: string, args: unknown][]
  fault?: Error
  usage?: LanguageModelV4Usage
}

const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 10, text: 10, reasoning: undefined },
}
export const green: CheckReport = { ok: true, checks: [{ name: 'types', ok: true, ms: 1, errors: [] }] }
const error = { phase: 'types' as const, file: 'a.ts', line: 1, column: 1, code: 'TS1', excerpt: '' }
export const failedReport = (message: string): CheckReport => ({
  ok: false,
  checks: [{ name: 'types', ok: false, ms: 1, errors: [{ ...error, message }] }],
})

function partsOf(turn: Turn): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = []
  if (turn.fault !== undefined) parts.push({ type: 'error', error: turn.fault })
  if (turn.text !== undefined) {
    parts.push({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: turn.text })
    parts.push({ type: 'text-end', id: 't' })
  }
  for (const [i, [toolName, args]] of (turn.calls ?? []).entries()) {
    parts.push({ type: 'tool-call', toolCallId: `call${i}`, toolName, input: JSON.stringify(args) })
  }
  const unified = turn.calls === undefined ? ('stop' as const) : ('tool-calls' as const)
  if (turn.fault === undefined)
    parts.push({ type: 'finish', finishReason: { unified, raw: unified }, usage: turn.usage ?? usage })
  return parts
}

/** Returns a run with a mock model that returns these turns in order and then repeats the last one. */
export function setUp(
  turns: Turn[],
  options: {
    reports?: CheckReport[]
    limits?: Partial<RunLimits>
    steps?: ModelStep[]
    settings?: Partial<ModelSettings>
    /** Describes the files of the workspace as the first message does. A run needs this function to shorten its conversation. */
    snapshot?: (workspace: Workspace) => string
  } = {},
) {
  const base = new Map([['app.json', '{"slipway":1,"name":"Plants"}\n']])
  const workspace = new Workspace({ base, tree: base, enabled: [], seen: new SeenFiles(base.keys()) })
  const frames: BuildFrame[] = []
  const inputs: { id: string; text: string }[] = []
  const read = new Set<string>()
  const failed: CallUsage[] = []
  const begun: string[] = []
  const stored: ModelStep[] = []
  const compactions: Compaction[] = []
  const requests: { messages: unknown[]; toolChoice: string | undefined }[] = []
  const reports = options.reports ?? [green]
  let checks = 0
  const runCheck = async () => reports[Math.min(checks++, reports.length - 1)] ?? green
  const model = new MockLanguageModelV4({
    doStream: async ({ prompt, toolChoice }) => {
      const turn = turns[Math.min(requests.length, turns.length - 1)] ?? {}
      requests.push({ messages: prompt, toolChoice: toolChoice?.type })
      const chunks = [{ type: 'stream-start' as const, warnings: [] }, ...partsOf(turn)]
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) }
    },
  })
  const controller = new AbortController()
  const agent: Agent = {
    key: 'run_1',
    model,
    settings: { ...modelSettings('openai-compatible', 'test', 'k'), ...options.settings },
    instructions: 'build apps',
    opening: [{ role: 'user', content: 'track my plants' }],
    tools: [
      ...readTools(workspace, textWorkers),
      ...writeTools(workspace, textWorkers),
      ...endTools(workspace, { runCheck, mayAsk: () => null }),
    ],
    workspace,
    runCheck,
    steps: options.steps ?? [],
    ...(options.snapshot === undefined
      ? {}
      : { compactions: compactionStore(workspace, options.snapshot, compactions) }),
    steering: { unread: async () => inputs.filter((input) => !read.has(input.id)) },
    spent: NO_USAGE,
    limits: { steps: 20, tokens: 1_000_000, minutes: 15, ...options.limits },
    elapsedMs: () => 1000,
    signal: controller.signal,
    record: {
      frames: async (items) => void frames.push(...items),
      step: async (step, items, ids) => {
        stored.push(structuredClone(step))
        frames.push(...items)
        for (const id of ids) read.add(id)
      },
      begin: async (step, index) => void begun.push(`${step.n}:${index}`),
      failedCall: async (spent) => void failed.push(spent),
      tools: async (step, _done, items) => {
        stored[stored.findIndex((item) => item.n === step.n)] = structuredClone(step)
        frames.push(...items)
      },
    },
    waitsMs: [0, 0, 0],
  }
  return {
    agent,
    frames,
    stored,
    requests,
    workspace,
    controller,
    inputs,
    failed,
    begun,
    compactions,
    checks: () => checks,
  }
}

function compactionStore(
  workspace: Workspace,
  snapshot: (workspace: Workspace) => string,
  stored: Compaction[],
): CompactionStore {
  return {
    current: null,
    snapshot: () => ({
      message: { role: 'user', content: snapshot(workspace) },
      shown: [...workspace.tree.keys()],
    }),
    store: async (compaction) => void stored.push(structuredClone(compaction)),
  }
}

export const write = (path: string, content: string): [string, unknown] => ['write_file', { path, content }]
export const finish: [string, unknown] = ['finish', { summary: 'Plants are tracked.' }]
export const kindOf = (end: AgentOutcome) => (end.kind === 'failed' ? end.failure.kind : end.kind)
