import { type ChatRequest, respondWithTurn, messageText } from './wire.ts'

/** A request to a model. `key` is the API key, `signal` aborts when the client disconnects. */
interface ModelCall {
  key: string
  signal: AbortSignal
}

/** A model is a program that responds to requests of OpenAI's chat API. */
export interface LocalModel {
  id: string
  respond(request: ChatRequest, call: ModelCall): Response | Promise<Response>
}

/** Repeats the last user message, which is enough to test a connection. */
export const echoModel: LocalModel = {
  id: 'echo',
  respond(request) {
    const last = request.messages.findLast((message) => message.role === 'user')
    return respondWithTurn(request, { text: last === undefined ? '' : messageText(last) })
  },
}
