import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import type { ModelResponse, ToolCall } from '../model/call.ts'
import { withCacheMark } from '../model/models.ts'
import { type FileRef, userMessage } from './files.ts'
import type { CallUsage } from '../model/usage.ts'
import type { ToolEnd } from '../tools/tool.ts'

/** The result of one tool call. A step has its results in the order of its calls. */
export interface ToolRecord {
  id: string
  name: string
  ok: boolean
  text: string
  code: string | null
  /** A hash of the errors of a failed check, by which `RunGuard` counts repeated failures. */
  signature: string | null
  end: ToolEnd | null
}

/** One model call with its tool results: the unit that is stored. After a crash a stored step is not repeated. */
export interface ModelStep {
  n: number
  /** User messages that the loop itself inserted before this call. */
  before: string[]
  /** Files of the last message in `before`. */
  files?: FileRef[]
  message: AssistantModelMessage
  calls: ToolCall[]
  results: ToolRecord[]
  usage: CallUsage
  /** Index of the call that an earlier attempt had begun when it died; that call is not repeated. */
  begun?: number
}

const STEER_PREFIX = 'The user says to you while you work:'

/** Returns a user's message to the running build as the model reads it. `isSteerNote` recognizes it by the prefix. */
export const steerNote = (text: string): string => `${STEER_PREFIX}\n\n${text}`
export const isSteerNote = (note: string): boolean => note.startsWith(STEER_PREFIX)

/** Returns the text that the model wrote in a step, without reasoning and calls. */
export const stepText = ({ message: { content } }: ModelStep): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const INTERRUPTED_RESULT = 'interrupted: this call was not carried out'

/**
 * The maximum number of tool calls in one response. A large app has 200 files. With more calls the model could change more than half of
 * the files without a check in between.
 */
const CALLS_MAX = 100

/**
 * Returns a finished model call as a step. Empty and repeated ids are renamed, because results are found by id. If there are more than
 * `CALLS_MAX` tool calls, call number `CALLS_MAX` does not run and gets an error with the reason as its result. Later calls are dropped.
 */
export function toStep(
  n: number,
  before: string[],
  response: ModelResponse,
  files: FileRef[] = [],
): ModelStep {
  const seen = new Set<string>()
  const calls = capCalls(response.calls).map((call, i) => {
    const id = call.id === '' || seen.has(call.id) ? `c${n}_${i}` : call.id
    seen.add(id)
    return { ...call, id }
  })
  return {
    n,
    before,
    ...(files.length === 0 ? {} : { files }),
    message: { ...response.message, content: renameCalls(response.message.content, calls) },
    calls,
    results: [],
    usage: response.usage,
  }
}

function renameCalls(
  content: AssistantModelMessage['content'],
  calls: ToolCall[],
): AssistantModelMessage['content'] {
  if (typeof content === 'string') return content
  let i = 0
  return content.flatMap((part): typeof content => {
    if (part.type !== 'tool-call') return [part]
    const id = calls[i++]?.id
    return id === undefined ? [] : [{ ...part, toolCallId: id }]
  })
}

function capCalls(calls: ToolCall[]): ToolCall[] {
  if (calls.length <= CALLS_MAX) return calls
  const message = `your answer made ${calls.length} calls; from the ${CALLS_MAX}th on they were not carried out`
  return calls
    .slice(0, CALLS_MAX)
    .map((call, i) =>
      i < CALLS_MAX - 1 ? call : { ...call, problem: { code: 'too_many_calls' as const, message } },
    )
}

/** Returns the conversation for the model: the opening messages, then every step with its results. */
export function toMessages(
  opening: ModelMessage[],
  steps: ModelStep[],
  notes: string[],
  files: FileRef[] = [],
): ModelMessage[] {
  const messages: ModelMessage[] = [...opening]
  for (const step of steps) {
    messages.push(...userMessages(step.before, step.files ?? []))
    messages.push(step.message)
    if (step.calls.length > 0) messages.push(toolMessage(step))
  }
  messages.push(...userMessages(notes, files))
  return sanitize(messages)
}

const userMessages = (texts: string[], files: FileRef[]) =>
  texts.map((text, i) => userMessage(text, i === texts.length - 1 ? files : []))

/** Gives every call exactly one result, as providers require, even if the run was interrupted before the call. */
function toolMessage(step: ModelStep): ToolModelMessage {
  return {
    role: 'tool',
    content: step.calls.map((call) => {
      const result = step.results.find((item) => item.id === call.id)
      const value = result?.text ?? INTERRUPTED_RESULT
      return {
        type: 'tool-result',
        toolCallId: call.id,
        toolName: call.name,
        output: result?.ok === true ? { type: 'text', value } : { type: 'error-text', value },
      }
    }),
  }
}

/**
 * Converts messages to what providers require: no empty text parts, no empty messages, a user message first, and a user or tool
 * message last. Reasoning and provider metadata are passed back unchanged.
 */
export function sanitize(messages: ModelMessage[]): ModelMessage[] {
  const kept = messages.map(withoutEmptyText).filter((message) => message.content.length > 0)
  const first = kept[0]
  if (first?.role !== 'user') kept.unshift({ role: 'user', content: 'Begin.' })
  const last = kept.at(-1)
  if (last?.role === 'assistant') kept.push({ role: 'user', content: 'Go on.' })
  return kept
}

/**
 * Also removes text of only whitespace, because Anthropic refuses the whole request for it. Keeps such text between two reasoning parts,
 * because the reasoning may be signed.
 */
function withoutEmptyText(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const { content } = message
  if (typeof content === 'string') return { ...message, content: content.trim() === '' ? '' : content }
  const isKept = (part: (typeof content)[number], i: number) =>
    part.type !== 'text' ||
    part.text.trim() !== '' ||
    (part.text !== '' && content[i - 1]?.type === 'reasoning' && content[i + 1]?.type === 'reasoning')
  return { ...message, content: content.filter(isKept) }
}

/**
 * Adds cache marks to the end of the snapshot and to the last two messages. Anthropic allows four marks; the instructions have the
 * fourth mark.
 */
export function markCache(
  messages: ModelMessage[],
  mark: Parameters<typeof withCacheMark>[1],
): ModelMessage[] {
  if (mark === undefined) return messages
  const marked = new Set([0, messages.length - 2, messages.length - 1])
  return messages.map((message, i) => (marked.has(i) ? withCacheMark(message, mark) : message))
}

/** Returns the number of characters of a prompt, for the token estimate. */
export const promptChars = (instructions: string, messages: ModelMessage[]) =>
  instructions.length + JSON.stringify(messages).length
