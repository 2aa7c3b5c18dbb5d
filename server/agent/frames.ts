import * as z from 'zod'

/** Clients branch on the kind of a failure; people read the message. */
const FAILURE_KINDS = [
  'model_error',
  'rate_limited',
  'attachments_unsupported',
  'check_failed',
  'stuck',
  'step_limit',
  'time_limit',
  'budget',
  'context_limit',
  'interrupted',
  'unavailable',
  'server_error',
] as const
export const FailureKind = z.enum(FAILURE_KINDS)
export type FailureKind = z.output<typeof FailureKind>

export const Question = z.object({
  id: z.string(),
  question: z.string(),
  options: z.array(z.string()),
  default: z.string(),
  multiple: z.boolean().optional(),
})
export type Question = z.output<typeof Question>

export const TokenCounts = z.object({
  input: z.int(),
  output: z.int(),
  cacheRead: z.int(),
  cacheWrite: z.int(),
})
export type TokenCounts = z.output<typeof TokenCounts>

export const ShownError = z.object({
  phase: z.string(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  code: z.string(),
  message: z.string(),
  excerpt: z.string(),
})

const RunFrame = z.object({
  type: z.literal('run'),
  run: z.string(),
  ticketId: z.string(),
  attempt: z.int(),
  trigger: z.string(),
  model: z.string(),
  generatedBy: z.string(),
})
const StepFrame = z.object({ type: z.literal('step'), n: z.int(), limit: z.int() })
export const DeltaFrame = z.object({
  type: z.literal('delta'),
  text: z.string().optional(),
  reasoning: z.string().optional(),
  toolChars: z.int().optional(),
  tool: z.string().optional(),
  path: z.string().optional(),
})
const RetryFrame = z.object({ type: z.literal('retry'), step: z.int(), waitMs: z.int(), reason: z.string() })
export const ToolFrame = z.object({
  type: z.literal('tool'),
  id: z.string(),
  name: z.string(),
  args: z.unknown(),
  ok: z.boolean(),
  result: z.string(),
  error: z.string().optional(),
  ms: z.int(),
})
const FileFrame = z.object({
  type: z.literal('file'),
  path: z.string(),
  op: z.enum(['write', 'edit', 'delete']),
  bytes: z.int(),
  added: z.int(),
  removed: z.int(),
})
const CheckFrame = z.object({
  type: z.literal('check'),
  n: z.int(),
  phase: z.string(),
  ok: z.boolean(),
  ms: z.int(),
  errorCount: z.int(),
  errors: z.array(ShownError),
})
const QuestionFrame = z.object({ type: z.literal('question'), questions: z.array(Question) })
/** A message of the user to a running build. `delivery`: whether this build or the ticket's next build reads the message. */
const SteerFrame = z.object({
  type: z.literal('steer'),
  id: z.string(),
  text: z.string(),
  delivery: z.enum(['delivered', 'next_build']),
})
const UsageFrame = z.object({ type: z.literal('usage'), ...TokenCounts.shape })
const PreviewFrame = z.object({
  type: z.literal('preview'),
  url: z.string().optional(),
  error: z.string().optional(),
})
const DoneFrame = z.object({
  type: z.literal('done'),
  status: z.enum(['built', 'awaiting', 'replied', 'cancelled']),
  run: z.string(),
  sha: z.string().optional(),
  summary: z.string().optional(),
  message: z.string().optional(),
  questions: z.array(Question).optional(),
  changed: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })).optional(),
  generatedBy: z.string().optional(),
  previewUrl: z.string().nullish(),
})
const ErrorFrame = z.object({
  type: z.literal('error'),
  kind: FailureKind,
  message: z.string(),
  retryable: z.boolean(),
})

/** A frame of a build stream as it is stored; the store adds `seq`. */
export const BuildFrame = z.discriminatedUnion('type', [
  RunFrame,
  StepFrame,
  DeltaFrame,
  RetryFrame,
  ToolFrame,
  FileFrame,
  CheckFrame,
  QuestionFrame,
  SteerFrame,
  UsageFrame,
  PreviewFrame,
  DoneFrame,
  ErrorFrame,
])
export type BuildFrame = z.output<typeof BuildFrame>

/** Replaces all frames of a run up to `seq`, which were deleted. */
export const SnapshotFrame = z.object({
  type: z.literal('snapshot'),
  run: z.string(),
  seq: z.int(),
  text: z.string(),
  files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), ms: z.number(), errors: z.array(ShownError) }),
  ),
  usage: TokenCounts,
})
export type SnapshotFrame = z.output<typeof SnapshotFrame>

/** A frame as a client receives it: stored frames with their `seq`, and `resuming`, which is never stored and has no `seq`. */
export const StreamedFrame = z.union([
  SnapshotFrame,
  z.intersection(BuildFrame, z.object({ seq: z.int() })),
  z.object({ type: z.literal('resuming') }),
])

/** Why a build ended without a version. People read the message; `isRetryable` and the console use the kind. */
export type Failure = { kind: FailureKind; message: string }

/** Returns whether the same build may succeed when it is started again. False when the build's input caused the failure. */
export function isRetryable(kind: FailureKind): boolean {
  return kind !== 'attachments_unsupported' && kind !== 'context_limit'
}

/** Returns tool arguments for a frame. Long strings are cut, so that a stream never repeats whole files. */
export function shownArgs(args: unknown, charsMax = 200): unknown {
  if (typeof args === 'string') return args.length > charsMax ? `${args.slice(0, charsMax)}…` : args
  if (Array.isArray(args)) return args.slice(0, 20).map((item) => shownArgs(item, charsMax))
  if (args === null || typeof args !== 'object') return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, shownArgs(value, charsMax)]))
}
