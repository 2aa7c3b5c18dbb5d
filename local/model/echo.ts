import type { LocalModel } from './models.ts'
import { answerTurn, textOf } from './wire.ts'

/** Says the last user message back: enough to test a connection. */
export const echoModel: LocalModel = {
  id: 'echo',
  respond(request) {
    const last = request.messages.findLast((message) => message.role === 'user')
    return answerTurn(request, { text: last === undefined ? '' : textOf(last) })
  },
}
