import type { ModelMessage } from 'ai'
import { describeReport } from '../check-report.ts'
import { userMessage } from './files.ts'
import { type ModelStep, isSteerNote, stepText } from './transcript.ts'
import { readLineRange } from '../tools/read.ts'
import { SeenFiles } from '../tools/seen-files.ts'
import type { Workspace } from '../tools/workspace.ts'
import { fieldsOf } from '@slipway/runtime/kernel/fields.ts'

// Shares of the model's window: a conversation above the first share is shortened and must then be below the second share.
const COMPACT_ABOVE_SHARE = 0.7
const COMPACTED_SHARE_MAX = 0.6
/** This number of newest steps stays whole, because a call must keep its result and its signed reasoning. */
const STEPS_KEPT = 4
/** A text has at most one token per character, and `estimateTokens` counts a quarter of a token per character. */
const COUNT_RATIO_MAX = 4
const TEXT_CHARS_MAX = 600
const DIGEST_CHARS_MAX = 12_000
const REPORT_CHARS_MAX = 4_000

/** The shortened conversation of a run. A conversation is shortened at most once in a run. */
export interface Compaction {
  opening: ModelMessage[]
  /** The number of the last step that is only summarized in `opening`; the steps after it stay whole. */
  upTo: number
  shown: string[]
}

/** Stores how a run's conversation was shortened, so that every attempt sends the same bytes and hits the provider's cache. */
export interface CompactionStore {
  current: Compaction | null
  /** Returns the current files of the project as a message like the first message of the conversation. */
  snapshot(): { message: ModelMessage; shown: string[] }
  store(compaction: Compaction): Promise<void>
}

export const mustCompact = (promptTokens: number, windowTokens: number): boolean =>
  promptTokens > windowTokens * COMPACT_ABOVE_SHARE

/** Returns whether a shortened conversation leaves enough room to continue. */
export const isCompact = (promptTokens: number, windowTokens: number): boolean =>
  promptTokens <= windowTokens * COMPACTED_SHARE_MAX

/** Returns the conversation for the model: the opening, and the steps that are not summarized in the opening. */
export function conversation(
  opening: ModelMessage[],
  steps: ModelStep[],
  compaction: Compaction | null,
): { opening: ModelMessage[]; steps: ModelStep[] } {
  if (compaction === null) return { opening, steps }
  return { opening: compaction.opening, steps: steps.filter(({ n }) => n > compaction.upTo) }
}

/**
 * Shortens a conversation without a model call. The new opening consists of a fresh snapshot of the project, the original ticket, and the
 * old steps in a few lines. The newest steps stay whole.
 */
export function compact(run: {
  opening: ModelMessage[]
  steps: ModelStep[]
  workspace: Workspace
  snapshot: CompactionStore['snapshot']
}): Compaction {
  const kept = run.steps.slice(-STEPS_KEPT)
  const dropped = run.steps.slice(0, -STEPS_KEPT)
  const { message, shown } = run.snapshot()
  // Like the user's messages to the running build, their files are kept.
  const files = dropped.flatMap((step) => step.files ?? [])
  const digest = userMessage(droppedStepsText(dropped, kept, run.workspace), files)
  return {
    opening: [message, ...run.opening.slice(1), digest],
    upTo: dropped.at(-1)?.n ?? 0,
    shown,
  }
}

/**
 * Returns the tokens of the last prompt as the provider counted them; 0 when the conversation was shortened after that prompt. Capped at
 * a multiple of the estimate, because some providers count more tokens than the text can have.
 */
export function reportedPromptTokens(
  steps: ModelStep[],
  compaction: Compaction | null,
  estimate: number,
): number {
  const last = steps.at(-1)
  if (last === undefined || last.usage.estimated) return 0
  if (compaction !== null && last.n <= compaction.upTo + STEPS_KEPT) return 0
  return Math.min(last.usage.input, estimate * COUNT_RATIO_MAX)
}

/**
 * Returns the files that the model has seen whole in the conversation: files in the opening, and files that the model
 * wrote or read since.
 */
export function seenFiles(shown: readonly string[], steps: readonly ModelStep[]): SeenFiles {
  const seen = new SeenFiles(shown)
  for (const { calls, results } of steps) {
    for (const { id, name, ok, text } of results) {
      const { path } = fieldsOf(calls.find((call) => call.id === id)?.args)
      if (!ok || typeof path !== 'string') continue
      const range = name === 'read_file' ? readLineRange(text) : null
      if (range !== null) seen.addRead(path, range)
      else seen.restartReading(path)
      if (name === 'write_file') seen.add(path)
    }
  }
  return seen
}

function droppedStepsText(dropped: ModelStep[], newest: ModelStep[], workspace: Workspace): string {
  const told = dropped.map((step) => ({ step, line: describeStep(step) }))
  let left = 0
  let chars = told.reduce((sum, { line }) => sum + line.length, 0)
  for (; left < told.length && chars > DIGEST_CHARS_MAX; left++) chars -= told[left]?.line.length ?? 0
  // The user's answers and messages to the running build are instructions and are never left out. Other steps are left out oldest first.
  const kept = told.filter(({ step }, i) => i >= left || step.calls.some(({ name }) => name === 'ask_user'))
  const steered = dropped.flatMap((step) => step.before.filter(isSteerNote))
  const judged = newest.some((step) => step.results.some(({ name }) => name === 'check' || name === 'finish'))
  const { lastReport } = workspace
  return [
    'The conversation was shortened. The snapshot above shows the files as they are now. What you did so far:',
    ...(kept.length < told.length ? [`(${told.length - kept.length} earlier steps are left out)`] : []),
    ...kept.map(({ line }) => line),
    ...steered,
    ...(judged || lastReport === null
      ? []
      : ['The last check said:', describeReport(lastReport).slice(0, REPORT_CHARS_MAX)]),
    'Go on from here. Your last steps follow.',
  ].join('\n')
}

function describeStep(step: ModelStep): string {
  const text = stepText(step).trim().slice(0, TEXT_CHARS_MAX)
  const calls = step.calls.map((call) => {
    const result = step.results.find(({ id }) => id === call.id)
    const { path } = fieldsOf(call.args)
    const about = typeof path === 'string' ? ` ${path.slice(0, 120)}` : ''
    // Repeat the user's answers to questions, because no other message contains them.
    const told = call.name === 'ask_user' ? ` (${result?.text ?? ''})` : ''
    return `${call.name}${about}: ${result?.ok === true ? 'ok' : (result?.code ?? 'not carried out')}${told}`
  })
  return [`${step.n}.`, ...(text === '' ? [] : [`You said: ${text}`]), ...calls].join('\n  ')
}
