import {
  type AssistantModelMessage,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
  streamText,
} from 'ai'
import { STREAM_ENDED_EARLY, ModelFailure, toModelFailure } from './failure.ts'
import { type CallUsage, callUsage, reportedUsage } from './usage.ts'
import {
  TextPieces,
  cleanArguments,
  cleanText,
  toWellFormedTexts,
  usableId,
  usableName,
} from './wire-text.ts'

/** A tool call as the model made it. `problem` says why the arguments are unusable; null: they are usable. */
export interface ToolCall {
  id: string
  name: string
  args: unknown
  problem: { code: 'invalid_arguments' | 'unknown_tool' | 'too_many_calls'; message: string } | null
}

export interface ModelResponse {
  message: AssistantModelMessage
  text: string
  calls: ToolCall[]
  usage: CallUsage
  finishReason: string
}

export interface Delta {
  text?: string
  reasoning?: string
  toolChars?: number
  tool?: string
  /** The file that the call is about, once the streamed arguments contain its path. */
  path?: string
}

export interface ModelRequest {
  model: LanguageModel
  instructions: string | Extract<ModelMessage, { role: 'system' }>
  messages: ModelMessage[]
  tools: ToolSet
  toolOrder: string[]
  toolChoice: 'auto' | 'none'
  maxOutputTokens: number | undefined
  providerOptions: Parameters<typeof streamText>[0]['providerOptions']
  /** Aborted when the run is cancelled, loses its lease or reaches its time limit. */
  signal: AbortSignal
  onDelta(delta: Delta): void
  timeouts?: Partial<CallTimeouts> | undefined
}

/**
 * Limits of the time without data. The total time is not limited here, because a slow local model may need ten minutes for five files.
 * The run's time limit ends an endless call (`askModel`).
 */
interface CallTimeouts {
  /** From the request to the first part: a server may accept the connection and never respond. */
  firstPartMs: number
  /** The longest pause between two parts of a response. */
  chunkMs: number
}

const CALL_TIMEOUTS: CallTimeouts = { firstPartMs: 180_000, chunkMs: 60_000 }

// An endless response is cut off at this length. The largest file of an app has 200 kB.
const OUTPUT_CHARS_MAX = 600_000
// No legitimate response comes near this, and parsing ten thousand calls blocks the process for seconds.
const CALLS_MAX = 500

/**
 * Makes one model call through the SDK, which streams and parses but runs no tools. A finished call is stored before its tools run, so no
 * call is paid for twice. Throws `ModelFailure` for everything that is not a clean end.
 */
export async function callModel(request: ModelRequest): Promise<ModelResponse> {
  const timeouts = { ...CALL_TIMEOUTS, ...request.timeouts }
  const silence = new AbortController()
  const firstPart = setTimeout(
    () =>
      silence.abort(new ModelFailure('The model did not start to respond in time.', { isRetryable: true })),
    timeouts.firstPartMs,
  )
  const abortSignal = AbortSignal.any([request.signal, silence.signal])
  const spent: SpentTokens = { usage: null }
  try {
    return await readStream(request, {
      timeouts,
      abortSignal,
      spent,
      onFirstPart: () => clearTimeout(firstPart),
    })
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason ?? error
    const failure = toModelFailure(silence.signal.aborted ? silence.signal.reason : error)
    failure.usage = spent.usage
    throw failure
  } finally {
    clearTimeout(firstPart)
    // Closes the connection of the call, whether the call succeeded or failed.
    silence.abort()
  }
}

/** The token counts that the provider has sent so far. They also count when the call fails later. */
interface SpentTokens {
  usage: CallUsage | null
}

async function readStream(
  request: ModelRequest,
  call: { timeouts: CallTimeouts; abortSignal: AbortSignal; spent: SpentTokens; onFirstPart: () => void },
): Promise<ModelResponse> {
  const { timeouts, abortSignal, spent, onFirstPart } = call
  const result = streamText({
    model: request.model,
    instructions: toWellFormedTexts(request.instructions),
    messages: toWellFormedTexts(request.messages),
    tools: request.tools,
    toolOrder: request.toolOrder,
    toolChoice: request.toolChoice,
    maxRetries: 0,
    timeout: { chunkMs: timeouts.chunkMs },
    abortSignal,
    // Without a handler the SDK prints errors to the console. The errors also arrive as `error` parts.
    onError: () => undefined,
    experimental_download: refuseDownloads,
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.providerOptions === undefined ? {} : { providerOptions: request.providerOptions }),
  })
  const calls: ToolCall[] = []
  const inputs = new Map<string, ToolInput>()
  const said = new TextPieces()
  const thought = new TextPieces()
  let text = ''
  let chars = 0
  let begunCalls = 0
  let finished: { reason: string; usage: Parameters<typeof callUsage>[0] } | null = null
  for await (const part of result.stream) {
    switch (part.type) {
      case 'start':
      case 'start-step':
        continue
      case 'text-delta': {
        const piece = said.take(part.text)
        text += piece
        chars += part.text.length
        if (piece !== '') request.onDelta({ text: piece })
        break
      }
      case 'reasoning-delta': {
        const piece = thought.take(part.text)
        chars += part.text.length
        if (piece !== '') request.onDelta({ reasoning: piece })
        break
      }
      case 'tool-input-start': {
        const tool = usableName(part.toolName)
        inputs.set(part.id, { tool, head: '', path: undefined })
        chars += part.id.length + part.toolName.length
        begunCalls += 1
        request.onDelta({ tool, toolChars: 0 })
        break
      }
      case 'tool-input-delta':
        chars += part.delta.length
        request.onDelta(inputDelta(inputs.get(part.id), part.delta))
        break
      case 'tool-call':
        calls.push(toolCallFromPart(part))
        break
      case 'error':
        throw part.error
      case 'abort':
        throw new ModelFailure('The model did not respond in time.', { isRetryable: true })
      case 'finish-step':
        finished = { reason: part.finishReason, usage: part.usage }
        spent.usage = reportedUsage(part.usage)
        break
      default:
        break
    }
    onFirstPart()
    if (begunCalls > CALLS_MAX)
      throw new ModelFailure(`The model made more than ${CALLS_MAX} tool calls in one response.`)
    if (chars > OUTPUT_CHARS_MAX)
      throw new ModelFailure('The model did not stop writing.', { isRetryable: false })
  }
  const ending = checkEnd(finished, text, calls)
  const message = await assistantMessage(result.response)
  const inputChars = JSON.stringify([request.instructions, request.messages], withoutBytes).length
  return {
    message,
    text,
    calls: ending.reason === 'length' ? calls.map(withCutOffMessage) : calls,
    usage: callUsage(ending.usage, { input: inputChars, output: chars }),
    finishReason: ending.reason,
  }
}

/** Excludes bytes from the token estimate, because a picture has far fewer tokens than bytes. */
const withoutBytes = (_key: string, value: unknown): unknown => (value instanceof Uint8Array ? '' : value)

interface ToolInput {
  tool: string
  head: string
  path: string | undefined
}

const ARGUMENTS_HEAD_CHARS_MAX = 400

/** Returns the delta for a piece of a call's arguments. The path is read from the beginning of the arguments, where models write it. */
function inputDelta(input: ToolInput | undefined, delta: string): Delta {
  if (input === undefined) return { toolChars: delta.length }
  if (input.path === undefined && input.head.length < ARGUMENTS_HEAD_CHARS_MAX) {
    input.head += delta
    input.path = /"path"\s*:\s*"([^"\\]{1,200})"/.exec(input.head)?.[1]
  }
  const path = input.path === undefined ? {} : { path: input.path }
  return { tool: input.tool, toolChars: delta.length, ...path }
}

/** Requires an explicit end: a stream that just stops may have lost half of the response. */
function checkEnd<T extends { reason: string }>(finished: T | null, text: string, calls: ToolCall[]): T {
  if (
    finished === null ||
    finished.reason === 'other' ||
    finished.reason === 'unknown' ||
    finished.reason === 'error'
  ) {
    throw new ModelFailure(STREAM_ENDED_EARLY, { isRetryable: true })
  }
  if (finished.reason === 'content-filter') {
    throw new ModelFailure('The model provider refused to respond (content filter).')
  }
  if (text.trim() === '' && calls.length === 0) {
    const message =
      finished.reason === 'length'
        ? 'The model reached its output limit before it wrote text or called a tool.'
        : 'The model returned an empty response.'
    throw new ModelFailure(message, { isRetryable: true })
  }
  return finished
}

/** Returns the assistant message to store and to send back, cleaned in the same way as its tool calls. */
async function assistantMessage(
  response: PromiseLike<{ messages: ModelMessage[] }>,
): Promise<AssistantModelMessage> {
  const { messages } = await response
  const message = messages.find((item) => item.role === 'assistant')
  if (message === undefined)
    throw new ModelFailure('The model returned an empty response.', { isRetryable: true })
  const { content } = message
  if (typeof content === 'string') return { ...message, content: cleanText(content) }
  return {
    ...message,
    content: content.map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return { ...part, text: cleanText(part.text) }
      if (part.type !== 'tool-call') return part
      return { ...part, toolName: usableName(part.toolName), input: cleanArguments(part.input).args }
    }),
  }
}

function toolCallFromPart(part: {
  toolCallId: string
  toolName: string
  input: unknown
  invalid?: boolean | undefined
  error?: unknown
}): ToolCall {
  const { args, problem } = cleanArguments(part.input)
  return {
    id: usableId(part.toolCallId),
    name: usableName(part.toolName),
    args,
    problem: callProblem(part) ?? (problem === null ? null : { code: 'invalid_arguments', message: problem }),
  }
}

function callProblem(part: {
  toolName: string
  invalid?: boolean | undefined
  error?: unknown
}): ToolCall['problem'] {
  if (part.invalid !== true) return null
  const error = part.error instanceof Error ? part.error : null
  if (error?.name === 'AI_NoSuchToolError') {
    return { code: 'unknown_tool', message: `there is no tool named ${usableName(part.toolName)}` }
  }
  return { code: 'invalid_arguments', message: describeProblem(error) }
}

/** Returns a message of at most 1 kB without the input. The SDK's own message would repeat the whole input to the model. */
function describeProblem(error: Error | null): string {
  const issues = zodIssues(error)
  if (issues.length === 0) return 'the arguments are not valid JSON'
  return issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`)
    .join('; ')
    .slice(0, 900)
}

function zodIssues(error: unknown): { path: PropertyKey[]; message: string }[] {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('issues' in at && Array.isArray(at.issues))
      return at.issues as { path: PropertyKey[]; message: string }[]
  }
  return []
}

function withCutOffMessage(call: ToolCall): ToolCall {
  if (call.problem === null) return call
  return {
    ...call,
    problem: {
      code: 'invalid_arguments',
      message: 'your output was cut off in this call; write smaller files',
    },
  }
}

/**
 * Refuses downloads, so that no URL in a prompt makes the service send a request. A prompt contains files as bytes, so the SDK needs no
 * download.
 */
const refuseDownloads = (wanted: unknown[]) =>
  wanted.length === 0
    ? Promise.resolve([])
    : Promise.reject(new ModelFailure('The model asked for a download, which is never made.'))
