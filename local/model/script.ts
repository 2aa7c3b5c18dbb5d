import * as z from 'zod'
import { type ChatRequest, offeredTools, messageText } from './wire.ts'

const MODEL_FAULTS = [
  'no_index',
  'bad_json',
  'unknown_tool',
  'same_ids',
  'empty_ids',
  'calls_as_text',
  'cut',
  'no_finish',
  'hang',
  'silence',
  'endless',
  'error_in_stream',
  'http_429',
  'http_529',
  'http_500',
  'http_401',
  'context_400',
  'html_200',
  'empty',
  'length',
  'no_usage',
  'slow',
  'obey',
] as const

/**
 * A fault that the scripted model simulates. Each number applies only to the faults that its comment names.
 */
export const Fault = z.union([
  z.enum(MODEL_FAULTS).transform((kind) => ({ kind })),
  z.object({
    kind: z.enum(MODEL_FAULTS),
    /** For `cut`: the number of bytes before the socket closes. */
    afterBytes: z.int().min(0).optional(),
    /** For `http_429` and `http_529`: the `Retry-After` header, in seconds. */
    retryAfter: z.number().optional(),
    /** For `slow`: chunks per second. */
    perSecond: z.number().positive().optional(),
  }),
])
export type Fault = z.output<typeof Fault>

const Expect = z.object({
  tools: z.array(z.string()).optional(),
  withoutTools: z.array(z.string()).optional(),
  lastResult: z.string().optional(),
  lastUser: z.string().optional(),
  messages: z.int().optional(),
})

/** One response of the scripted model, as a test has defined it, and the conditions that its request must meet (`expect`). */
export const ScriptStep = z.object({
  text: z.string().optional(),
  reasoning: z.string().optional(),
  toolCalls: z
    .array(
      z.object({
        id: z.string().optional(),
        name: z.string(),
        args: z.unknown().optional(),
        rawArgs: z.string().optional(),
      }),
    )
    .optional(),
  usage: z
    .object({ input: z.int(), output: z.int(), cacheRead: z.int().optional(), reasoning: z.int().optional() })
    .optional(),
  finish: z.string().optional(),
  fault: Fault.optional(),
  expect: Expect.optional(),
  /** The delay before the first byte, in milliseconds. */
  delayMs: z.int().min(0).optional(),
  /** Respond with this step to this and every later request. */
  repeat: z.boolean().optional(),
})
export type ScriptStep = z.output<typeof ScriptStep>

export const ModelScript = z.object({ steps: z.array(ScriptStep).min(1) })

/** Returns a description of the first expectation that the request does not meet; null when the request meets all expectations. */
export function unmetExpectation(request: ChatRequest, expect: z.output<typeof Expect>): string | null {
  const offered = offeredTools(request)
  const missing = (expect.tools ?? []).filter((name) => !offered.includes(name))
  if (missing.length > 0) return `tools not offered: ${missing.join(', ')}`
  const extra = (expect.withoutTools ?? []).filter((name) => offered.includes(name))
  if (extra.length > 0) return `tools offered that must not be: ${extra.join(', ')}`
  const lastOf = (role: string) => {
    const message = request.messages.findLast((item) => item.role === role)
    return message === undefined ? '' : messageText(message)
  }
  if (expect.lastResult !== undefined && !lastOf('tool').includes(expect.lastResult)) {
    return `the last tool result does not contain ${JSON.stringify(expect.lastResult)}: ${lastOf('tool').slice(0, 500)}`
  }
  if (expect.lastUser !== undefined && !lastOf('user').includes(expect.lastUser)) {
    return `the last user message does not contain ${JSON.stringify(expect.lastUser)}`
  }
  if (expect.messages !== undefined && request.messages.length !== expect.messages) {
    return `${request.messages.length} messages instead of ${expect.messages}`
  }
  return null
}
