import type {
  BuildFrame,
  CheckError,
  FileChange,
  Question,
  SequencedFrame,
  ToolFrame,
  Usage,
} from '@slipway/sdk/frames.ts'
import { isObjectOrList } from '../../lib/fields.ts'

/**
 * `connecting` until the first frame, `resuming` while another process takes over the run. The last five are final, but `awaiting`
 * continues with answers.
 */
export type BuildPhase =
  | 'connecting'
  | 'running'
  | 'resuming'
  | 'awaiting'
  | 'built'
  | 'replied'
  | 'failed'
  | 'cancelled'

/** A finished tool call of the model. `path` is the file that it concerns, if any. */
export interface ToolCall {
  id: string
  name: string
  path: string | null
  ok: boolean
  result: string
  error: string | null
  ms: number
}
/** A tool call whose arguments are still arriving: how many characters there are so far. */
export interface WritingProgress {
  tool: string
  path: string | null
  characters: number
}
/** One model call with the tools that it called. `retry` is set while the service waits before it repeats a failed call. */
export interface BuildStep {
  n: number
  text: string
  reasoning: string
  tools: ToolCall[]
  writing: WritingProgress | null
  retry: { waitMs: number; reason: string } | null
}
/** A file that the build has changed, with its last operation and the changed lines. */
export interface FileRow extends FileChange {
  op: 'write' | 'edit' | 'delete'
}
/** The result of one phase of the checks. `errors` has only the first of the `errorCount` errors. */
export interface CheckRow {
  phase: string
  ok: boolean
  ms: number
  errorCount: number
  errors: CheckError[]
}

/** A message that a person sent to the running build. */
export interface SteerRow {
  id: string
  text: string
  delivery: 'delivered' | 'next_build'
  /** The number of the step during which the message was sent. 0 before the first step. */
  duringStep: number
}

/** What the page shows of a build. It is computed only from the messages of the build's stream (frames). */
export interface BuildState {
  phase: BuildPhase
  run: string | null
  seq: number
  attempt: number
  model: string | null
  generatedBy: string | null
  stepLimit: number | null
  steps: BuildStep[]
  files: FileRow[]
  /** The results of the checks when they last ran, one row for each phase such as types or tests. */
  checks: CheckRow[]
  checkRound: number
  questions: Question[]
  steers: SteerRow[]
  usage: Usage
  preview: { url: string | null; error: string | null } | null
  summary: string | null
  message: string | null
  sha: string | null
  error: { kind: string; message: string; retryable: boolean } | null
}

const NOTHING_USED: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** The state before the first frame. */
export const initialBuild: BuildState = {
  phase: 'connecting',
  run: null,
  seq: 0,
  attempt: 1,
  model: null,
  generatedBy: null,
  stepLimit: null,
  steps: [],
  files: [],
  checks: [],
  checkRound: 0,
  questions: [],
  steers: [],
  usage: NOTHING_USED,
  preview: null,
  summary: null,
  message: null,
  sha: null,
  error: null,
}

/** Returns the state after one more frame. A frame that was already applied changes nothing. */
export function reduceBuild(state: BuildState, frame: SequencedFrame): BuildState {
  if (frame.type === 'resuming') return { ...state, phase: 'resuming' }
  if (frame.type === 'run') return startRun(state, frame)
  if (frame.type !== 'snapshot' && frame.seq !== undefined && frame.seq <= state.seq) return state
  const next = applyFrame(state, frame)
  return { ...next, seq: frame.seq ?? state.seq }
}

/** Starts a new attempt from the initial state, without the frames of the earlier attempt. */
function startRun(state: BuildState, frame: BuildFrame & { type: 'run'; seq?: number }): BuildState {
  if (state.run === frame.run && state.seq > 0) return state
  const { run, attempt, model, generatedBy } = frame
  return { ...initialBuild, phase: 'running', seq: frame.seq ?? 1, run, attempt, model, generatedBy }
}

function applyFrame(state: BuildState, frame: BuildFrame): BuildState {
  switch (frame.type) {
    case 'step':
      return { ...state, stepLimit: frame.limit, steps: [...state.steps, emptyStep(frame.n)] }
    case 'delta':
      return withLastStep(state, (step) => addDelta(step, frame))
    case 'retry':
      return withLastStep(state, (step) => ({
        ...emptyStep(step.n),
        tools: step.tools,
        retry: { waitMs: frame.waitMs, reason: frame.reason },
      }))
    case 'tool':
      return withLastStep(state, (step) => ({
        ...step,
        writing: null,
        tools: [...step.tools, toolCallFromFrame(frame)],
      }))
    case 'file':
      return { ...state, files: upsertFile(state.files, frame) }
    case 'check':
      return addCheck(state, frame)
    case 'question':
      return { ...state, questions: frame.questions }
    case 'steer':
      return { ...state, steers: upsertSteer(state, frame) }
    case 'usage': {
      const { input, output, cacheRead, cacheWrite } = frame
      return { ...state, usage: { input, output, cacheRead, cacheWrite } }
    }
    case 'preview':
      return { ...state, preview: { url: frame.url ?? null, error: frame.error ?? null } }
    case 'snapshot':
      return fromSnapshot(state, frame)
    case 'done':
      return finishRun(state, frame)
    case 'error':
      return {
        ...clearPending(state),
        phase: 'failed',
        error: { kind: frame.kind, message: frame.message, retryable: frame.retryable },
      }
    default:
      return state
  }
}

function finishRun(state: BuildState, frame: BuildFrame & { type: 'done' }): BuildState {
  return {
    ...clearPending(state),
    phase: frame.status,
    summary: frame.summary ?? state.summary,
    message: frame.message ?? state.message,
    sha: frame.sha ?? state.sha,
    files: frame.changed ? changedFiles(state.files, frame.changed) : state.files,
    questions: frame.questions ?? state.questions,
    generatedBy: frame.generatedBy ?? state.generatedBy,
    preview: frame.previewUrl ? { url: frame.previewUrl, error: null } : state.preview,
  }
}

/** Removes the tool call whose arguments were arriving, and the wait for a retry. */
function clearPending(state: BuildState): BuildState {
  return withLastStep(state, (step) => ({ ...step, writing: null, retry: null }))
}

function fromSnapshot(state: BuildState, frame: BuildFrame & { type: 'snapshot' }): BuildState {
  const files = frame.files.map((file): FileRow => ({ op: 'edit', ...file }))
  const checks = frame.checks.map((check) => ({
    phase: check.name,
    ok: check.ok,
    ms: check.ms,
    errorCount: check.errors.length,
    errors: check.errors,
  }))
  const steps = frame.text ? [{ ...emptyStep(1), text: frame.text }] : []
  return { ...state, phase: 'running', run: frame.run, steps, files, checks, usage: frame.usage }
}

function addDelta(step: BuildStep, frame: BuildFrame & { type: 'delta' }): BuildStep {
  const grown = {
    ...step,
    retry: null,
    text: step.text + (frame.text ?? ''),
    reasoning: step.reasoning + (frame.reasoning ?? ''),
  }
  if (!frame.tool && !frame.toolChars) return grown
  const same = step.writing && (!frame.tool || frame.tool === step.writing.tool) ? step.writing : null
  const pathMoved = same?.path && frame.path && frame.path !== same.path
  return {
    ...grown,
    writing: {
      tool: frame.tool ?? same?.tool ?? '',
      path: frame.path ?? (same ? same.path : null),
      characters: (same && !pathMoved ? same.characters : 0) + (frame.toolChars ?? 0),
    },
  }
}

function addCheck(state: BuildState, frame: BuildFrame & { type: 'check' }): BuildState {
  const { phase, ok, ms, errorCount, errors } = frame
  const earlier = frame.n === state.checkRound ? state.checks.filter((check) => check.phase !== phase) : []
  return { ...state, checkRound: frame.n, checks: [...earlier, { phase, ok, ms, errorCount, errors }] }
}

function upsertFile(files: FileRow[], frame: BuildFrame & { type: 'file' }): FileRow[] {
  const { path, op, added, removed } = frame
  const row = { path, op, added, removed }
  const known = files.some((file) => file.path === path)
  return known ? files.map((file) => (file.path === path ? row : file)) : [...files, row]
}

/**
 * Returns the files that the commit changed. A file that was changed and then restored is not in the commit.
 */
function changedFiles(seen: FileRow[], changed: FileChange[]): FileRow[] {
  const operations = new Map(seen.map(({ path, op }) => [path, op]))
  return changed.map(({ path, added, removed }) => ({
    path,
    op: operations.get(path) ?? 'edit',
    added,
    removed,
  }))
}

/**
 * Adds a message that a person sent to the running build, or updates its `delivery`. When the build ended before it could read the message,
 * a second frame says that the next build will get the message.
 */
function upsertSteer(state: BuildState, frame: BuildFrame & { type: 'steer' }): SteerRow[] {
  const { id, text, delivery } = frame
  const known = state.steers.some((steer) => steer.id === id)
  if (known) return state.steers.map((steer) => (steer.id === id ? { ...steer, delivery } : steer))
  return [...state.steers, { id, text, delivery, duringStep: state.steps.at(-1)?.n ?? 0 }]
}

function toolCallFromFrame(frame: ToolFrame): ToolCall {
  const { args } = frame
  const path = isObjectOrList(args) && typeof args.path === 'string' ? args.path : null
  return {
    id: frame.id,
    name: frame.name,
    path,
    ok: frame.ok,
    result: frame.result,
    error: frame.error ?? null,
    ms: frame.ms,
  }
}

function emptyStep(n: number): BuildStep {
  return { n, text: '', reasoning: '', tools: [], writing: null, retry: null }
}

function withLastStep(state: BuildState, change: (step: BuildStep) => BuildStep): BuildState {
  const last = state.steps.at(-1)
  return last ? { ...state, steps: [...state.steps.slice(0, -1), change(last)] } : state
}

/** True while more frames can follow. */
export const isUnderWay = (state: Pick<BuildState, 'phase'>) =>
  ['connecting', 'running', 'resuming'].includes(state.phase)

/** The tokens of a build: input, which includes what was read from the cache, and output. */
export const tokensOf = (usage: Usage) => usage.input + usage.output
