import { type ChatRequest, answerTurn, textOf } from './wire.ts'

/** Who asked: the API key tells callers apart, and `signal` is aborted when the client goes away. */
interface ModelCall {
  key: string
  signal: AbortSignal
}

/** A model of this server: a program that answers a chat request over the OpenAI wire. */
export interface LocalModel {
  id: string
  respond(request: ChatRequest, call: ModelCall): Response | Promise<Response>
}

/** Says the last user message back: enough to test a connection. */
export const echoModel: LocalModel = {
  id: 'echo',
  respond(request) {
    const last = request.messages.findLast((message) => message.role === 'user')
    return answerTurn(request, { text: last === undefined ? '' : textOf(last) })
  },
}
