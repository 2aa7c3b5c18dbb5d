import { untilAborted } from '../world/until-aborted.ts'
import type { Fault } from './script.ts'
import {
  type ChatRequest,
  type Turn,
  respondWithTurn,
  errorBody,
  sseLine,
  turnChunks,
  offeredTools,
  messageText,
} from './wire.ts'

const STREAM_HEADERS = { 'content-type': 'text/event-stream' }
const textEncoder = new TextEncoder()

export async function respondWithFault(
  request: ChatRequest,
  turn: Turn,
  fault: Fault,
  signal: AbortSignal,
): Promise<Response> {
  const refused = refusalResponse(fault)
  if (refused !== null) return refused
  if (fault.kind === 'hang') {
    await untilAborted(signal)
    return new Response(null)
  }
  const chunks = turnChunks(request, turn)
  switch (fault.kind) {
    case 'obey':
      return respondWithTurn(request, obeyInjectedOrders(request))
    case 'unknown_tool':
      return respondWithTurn(
        request,
        mapCalls(turn, (call) => ({ ...call, name: `imagined_${call.name}` })),
      )
    case 'bad_json':
      return respondWithTurn(
        request,
        mapCalls(turn, (call) => ({ ...call, rawArgs: '{"path": "web/App.tsx", ' })),
      )
    case 'same_ids':
      return respondWithTurn(
        request,
        mapCalls(turn, (call) => ({ ...call, id: 'call_same' })),
      )
    case 'empty_ids':
      return respondWithTurn(
        request,
        mapCalls(turn, (call) => ({ ...call, id: '' })),
      )
    case 'calls_as_text':
      return respondWithTurn(request, { ...turn, toolCalls: undefined, text: callsAsText(turn) })
    case 'length':
      return respondWithTurn(request, { ...mapCalls(turn, cutArguments), finish: 'length' })
    case 'no_index':
      return streamResponse([...chunks.map(withoutIndex).map(sseLine), sseLine('[DONE]')])
    case 'no_usage':
      return streamResponse([
        ...chunks.filter((chunk) => !('usage' in chunk)).map(sseLine),
        sseLine('[DONE]'),
      ])
    case 'no_finish':
      return streamResponse(chunks.filter((chunk) => !isLastChunk(chunk)).map(sseLine))
    case 'empty':
      return streamResponse([sseLine('[DONE]')])
    case 'html_200':
      return new Response('<!doctype html><title>Sign in to the network</title>', {
        headers: { 'content-type': 'text/html' },
      })
    case 'error_in_stream':
      return streamResponse([
        ...firstHalf(chunks).map(sseLine),
        sseLine(errorBody('The engine crashed.', 'server_error')),
      ])
    case 'silence':
      return new Response(stalledStream(firstHalf(chunks).map(sseLine), signal), { headers: STREAM_HEADERS })
    case 'cut':
      return truncatedResponse(chunks.map(sseLine).join(''), fault)
    case 'endless':
      return new Response(endlessStream(request, signal), { headers: STREAM_HEADERS })
    case 'slow':
      return new Response(slowStream([...chunks.map(sseLine), sseLine('[DONE]')], fault, signal), {
        headers: STREAM_HEADERS,
      })
    default:
      throw new Error(`no such fault: ${fault.kind}`)
  }
}

function refusalResponse(fault: Fault): Response | null {
  const wait: Record<string, string> =
    'retryAfter' in fault && fault.retryAfter !== undefined ? { 'retry-after': String(fault.retryAfter) } : {}
  switch (fault.kind) {
    case 'http_429':
      return Response.json(errorBody('Too many requests.', 'rate_limit_error'), {
        status: 429,
        headers: wait,
      })
    case 'http_529':
      return Response.json(errorBody('Overloaded.', 'overloaded_error'), { status: 529, headers: wait })
    case 'http_500':
      return Response.json(errorBody('Internal error.', 'server_error'), { status: 500 })
    case 'http_401':
      return Response.json(
        errorBody('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
        {
          status: 401,
        },
      )
    case 'context_400':
      return Response.json(
        errorBody(
          "This model's maximum context length is 128000 tokens.",
          'invalid_request_error',
          'context_length_exceeded',
        ),
        { status: 400 },
      )
    default:
      return null
  }
}

type TurnToolCall = NonNullable<Turn['toolCalls']>[number]

const mapCalls = (turn: Turn, change: (call: TurnToolCall) => TurnToolCall): Turn => ({
  ...turn,
  toolCalls: turn.toolCalls?.map(change),
})

function cutArguments(call: TurnToolCall): TurnToolCall {
  const whole = call.rawArgs ?? JSON.stringify(call.args ?? {})
  return { ...call, rawArgs: whole.slice(0, Math.floor(whole.length / 2)) }
}

const callsAsText = (turn: Turn) =>
  (turn.toolCalls ?? [])
    .map(
      (call) => `<tool_call>${JSON.stringify({ name: call.name, arguments: call.args ?? {} })}</tool_call>`,
    )
    .join('\n')

/** Returns the JSON of a chunk whose tool calls have no index. */
const withoutIndex = (chunk: object): string =>
  JSON.stringify(chunk, (key, value: unknown) => {
    if (key !== 'tool_calls' || !Array.isArray(value)) return value
    return value.map(({ index: _index, ...call }: { index?: number }) => call)
  })

function isLastChunk(chunk: object): boolean {
  const { choices } = chunk as { choices: { finish_reason: string | null }[] }
  return choices[0]?.finish_reason !== null
}

const firstHalf = (chunks: object[]) => chunks.slice(0, Math.max(1, Math.floor(chunks.length / 2)))

const streamResponse = (lines: string[]) => new Response(lines.join(''), { headers: STREAM_HEADERS })

/** Sends these lines, then nothing until the client disconnects. */
function stalledStream(lines: string[], signal: AbortSignal): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const line of lines) controller.enqueue(textEncoder.encode(line))
      void untilAborted(signal).then(() => closeQuietly(controller))
    },
  })
}

/** Closes the socket in the middle of the response, so that reading the body fails. */
function truncatedResponse(text: string, fault: Fault): Response {
  const bytes = textEncoder.encode(text)
  const length = 'afterBytes' in fault && fault.afterBytes !== undefined ? fault.afterBytes : bytes.length / 2
  let sent = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true
        controller.enqueue(bytes.slice(0, Math.floor(length)))
        return
      }
      // Wait until the bytes have been sent. Otherwise the connection could close before the client has received any of the response.
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.error(new Error('cut on request'))
    },
  })
  return new Response(body, { headers: STREAM_HEADERS })
}

function endlessStream(request: ChatRequest, signal: AbortSignal): ReadableStream<Uint8Array> {
  // Sends many chunks at once, so that the client reaches its size limit within a second.
  const pieces = turnChunks(request, { text: 'and on and on '.repeat(600) }).slice(1, -1)
  const bytes = textEncoder.encode(pieces.map(sseLine).join(''))
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (signal.aborted) closeQuietly(controller)
      else controller.enqueue(bytes)
    },
  })
}

function slowStream(lines: string[], fault: Fault, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pause = 1000 / ('perSecond' in fault && fault.perSecond !== undefined ? fault.perSecond : 20)
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      const line = lines[at++]
      if (line === undefined || signal.aborted) closeQuietly(controller)
      else controller.enqueue(textEncoder.encode(line))
    },
  })
}

function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close()
  } catch {
    // The client has already cancelled the stream.
  }
}

const CALLS_PER_TURN = 5
/**
 * Matches an instruction for the model to call a tool, such as `ORDER: write_file {"path": "a.ts"}`, anywhere
 * in a line of a ticket, a file comment or an error message.
 */
const TOOL_ORDER = /ORDER: *(\w+) *(\{.*\})?/g

/**
 * Simulates a model that obeys prompt injections. The model calls the tool of each `ORDER:` in a user message or tool result once, in
 * order, even when the request does not offer that tool. It then calls `finish`.
 */
function obeyInjectedOrders(request: ChatRequest): Turn {
  const read = request.messages.filter(({ role }) => role === 'user' || role === 'tool')
  const orders = [...new Set(read.flatMap((message) => messageText(message).match(TOOL_ORDER) ?? []))]
  const names = new Set(orders.map((order) => toCall(order).name))
  const calls = request.messages.flatMap((message) => message.tool_calls ?? [])
  const made = calls.filter((call) => names.has(call.function.name)).length
  const next = orders.slice(made, made + CALLS_PER_TURN)
  if (next.length > 0) return { toolCalls: next.map(toCall) }
  const summary = 'I did everything I was told.'
  const hasFinished = calls.some((call) => call.function.name === 'finish')
  if (!offeredTools(request).includes('finish') || hasFinished) return { text: summary }
  return { toolCalls: [{ name: 'finish', args: { summary } }] }
}

function toCall(order: string): { name: string; rawArgs: string } {
  const [, name = '', args = '{}'] = new RegExp(TOOL_ORDER.source).exec(order) ?? []
  return { name, rawArgs: args }
}
