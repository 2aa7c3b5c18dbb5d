import * as z from 'zod'

const ToolCall = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
})

/** The fields of a chat message that the stand-in models read. */
export const ChatMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() })), z.null()])
    .optional(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
})
export type ChatMessage = z.output<typeof ChatMessage>

export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(ChatMessage).min(1),
  tools: z
    .array(z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }))
    .optional(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  response_format: z.looseObject({ type: z.string() }).optional(),
})
export type ChatRequest = z.output<typeof ChatRequest>

interface TurnUsage {
  input: number
  output: number
  cacheRead?: number | undefined
  reasoning?: number | undefined
}

/**
 * What the model says in one response. `rawArgs` is sent unchanged instead of `args`, so that a test can send
 * invalid JSON.
 */
export interface Turn {
  text?: string | undefined
  reasoning?: string | undefined
  toolCalls?:
    | { id?: string | undefined; name: string; args?: unknown; rawArgs?: string | undefined }[]
    | undefined
  finish?: string | undefined
  usage?: TurnUsage | undefined
}

// A constant creation time, so that equal messages get equal bytes.
const CREATED_SECONDS = 1_760_000_000

/** Returns the text of a message, whose content is either a string or a list of parts. */
export function messageText(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content
  return (message.content ?? []).map((part) => part.text ?? '').join('')
}

export function offeredTools(request: ChatRequest): string[] {
  return (request.tools ?? []).map((tool) => tool.function.name)
}

/** Estimates the token counts of a turn without `usage`: about four characters are one token. */
function estimateUsage(request: ChatRequest, turn: Turn): TurnUsage {
  const said = (turn.text ?? '') + JSON.stringify(turn.toolCalls ?? '')
  return {
    input: Math.ceil(JSON.stringify(request.messages).length / 4),
    output: Math.max(1, Math.ceil(said.length / 4)),
  }
}

function toolCallsJson(request: ChatRequest, turn: Turn) {
  return (turn.toolCalls ?? []).map((call, index) => ({
    index,
    id: call.id ?? `call_${request.messages.length}_${index}`,
    type: 'function' as const,
    function: { name: call.name, arguments: call.rawArgs ?? JSON.stringify(call.args ?? {}) },
  }))
}

const finishReason = (turn: Turn) =>
  turn.finish ?? ((turn.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop')

function usageJson(usage: TurnUsage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  }
}

/** Returns the body of a response without streaming. */
function completionBody(request: ChatRequest, turn: Turn): object {
  const calls = toolCallsJson(request, turn).map(({ index: _index, ...call }) => call)
  return {
    id: `chatcmpl-${request.messages.length}`,
    object: 'chat.completion',
    created: CREATED_SECONDS,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text ?? null,
          ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        finish_reason: finishReason(turn),
      },
    ],
    usage: usageJson(turn.usage ?? estimateUsage(request, turn)),
  }
}

/** Returns the chunks of a streamed response, without the final `[DONE]`. */
export function turnChunks(request: ChatRequest, turn: Turn): object[] {
  const makeChunk = (delta: object, finish: string | null = null) => ({
    id: `chatcmpl-${request.messages.length}`,
    object: 'chat.completion.chunk',
    created: CREATED_SECONDS,
    model: request.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const chunks: object[] = [makeChunk({ role: 'assistant', content: '' })]
  for (const piece of splitText(turn.reasoning ?? '', 40))
    chunks.push(makeChunk({ reasoning_content: piece }))
  for (const piece of splitText(turn.text ?? '', 40)) chunks.push(makeChunk({ content: piece }))
  for (const call of toolCallsJson(request, turn)) {
    chunks.push(
      makeChunk({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] }),
    )
    for (const piece of splitText(call.function.arguments, 512)) {
      chunks.push(makeChunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] }))
    }
  }
  chunks.push(makeChunk({}, finishReason(turn)))
  if (request.stream_options?.include_usage === true) {
    const usage = usageJson(turn.usage ?? estimateUsage(request, turn))
    chunks.push({ ...makeChunk({}), choices: [], usage })
  }
  return chunks
}

/** Splits a text into pieces of at most `size` characters. Never splits a character of two UTF-16 units, such as an emoji. */
function splitText(text: string, size: number): string[] {
  const letters = Array.from(text)
  const found: string[] = []
  for (let at = 0; at < letters.length; at += size) found.push(letters.slice(at, at + size).join(''))
  return found
}

/** Formats one server-sent event. */
export const sseLine = (data: object | string) =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export function errorBody(message: string, type: string, code: string | null = null): object {
  return { error: { message, type, param: null, code } }
}

/** Responds with one body or, when the request has `stream`, with a stream of chunks. */
export function respondWithTurn(request: ChatRequest, turn: Turn): Response {
  if (request.stream !== true) return Response.json(completionBody(request, turn))
  const lines = [...turnChunks(request, turn).map(sseLine), sseLine('[DONE]')]
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } })
}
