import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One response of a model: its bytes, or chunks that are produced while they are sent, possibly without an end. */
export type RawResponse = Uint8Array | (() => AsyncIterable<Uint8Array> | Iterable<Uint8Array>)

export interface RawCall {
  name: string
  args?: unknown
  /** Sent instead of `args`, even when it is not valid JSON. */
  rawArgs?: string
  id?: string
}

export interface RawTurn {
  text?: string
  calls?: RawCall[]
  /** The token usage, sent exactly as given: any JSON numbers, or raw text. */
  usage?: Record<string, unknown> | string
  finish?: string
}

const PIECE_CHARS = 16_384
let calls = 0

export function modelResponse(turn: RawTurn): Uint8Array {
  const deltas: object[] = [{ role: 'assistant', content: '' }]
  for (const content of piecesOf(turn.text ?? '')) deltas.push({ content })
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const id = call.id ?? `call_${++calls}`
    deltas.push({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    })
    for (const piece of piecesOf(call.rawArgs ?? JSON.stringify(call.args ?? {})))
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  const finish = turn.finish ?? (turn.calls === undefined ? 'stop' : 'tool_calls')
  const lines = [...deltas.map((delta) => chunk(delta)), chunk({}, finish)]
  const usage = typeof turn.usage === 'string' ? turn.usage : JSON.stringify(turn.usage ?? USAGE)
  lines.push(toEvent(`{"id":"x","object":"chat.completion.chunk","choices":[],"usage":${usage}}`))
  return Buffer.from([...lines, toEvent('[DONE]')].join(''))
}

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

export const chunk = (delta: object, finish: string | null = null): string =>
  toEvent(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    }),
  )

const toEvent = (data: string) => `data: ${data}\n\n`

function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE_CHARS) }, (_, i) =>
    text.slice(i * PIECE_CHARS, (i + 1) * PIECE_CHARS),
  )
}

/** Starts a model server that responds to any request with the given bytes. */
export async function serveRawModel() {
  const plays = new Map<string, RawResponse[]>()
  const server = createServer((request, response) => {
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    request
      .resume()
      .once(
        'end',
        () => void sendResponse(response, plays.get(key)?.shift() ?? modelResponse({ text: 'That is all.' })),
      )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    /** Sets the responses for this API key, in order. Further requests get the text "That is all.". */
    play: (key: string, answers: RawResponse[]) => void plays.set(key, [...answers]),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function sendResponse(response: ServerResponse<IncomingMessage>, bytes: RawResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const gone = once(response, 'close')
  for await (const piece of typeof bytes === 'function' ? bytes() : [bytes]) {
    if (response.destroyed) return
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), gone])
  }
  response.end()
}
