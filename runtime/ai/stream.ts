import { ApiError } from '../kernel/errors.ts'
import { fieldsOf } from '../kernel/fields.ts'

/**
 * Returns the text of a server-sent event stream of Workers AI or OpenAI, as bytes. Fails when the provider's stream ends early. Canceling
 * the returned stream cancels the provider's stream.
 */
export function decodeTextEvents(events: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = events.getReader()
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let rest = ''
  let isDone = false

  function takeLine(line: string): string {
    const data = /^data: ?(.*)$/.exec(line.trimEnd())?.[1]
    if (data === undefined) return ''
    if (data === '[DONE]') isDone = true
    return textInEvent(data)
  }

  return new ReadableStream({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read()
          rest += done ? '\n' : decoder.decode(value, { stream: true })
          const lines = rest.split('\n')
          rest = lines.pop() ?? ''
          const text = lines.map(takeLine).join('')
          if (text !== '') controller.enqueue(encoder.encode(text))
          if (done && !isDone) throw streamBroken()
          if (done) return controller.close()
          if (text !== '') return
        }
      } catch (cause) {
        controller.error(cause instanceof ApiError ? cause : streamBroken(cause))
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

const streamBroken = (cause?: unknown) =>
  new ApiError('model_error', 'The model response was cut off. Try again.', { cause })

function textInEvent(data: string): string {
  try {
    const { response, choices } = fieldsOf(JSON.parse(data))
    const piece = fieldsOf(fieldsOf(fieldsOf(choices)[0])['delta'])['content'] ?? response
    return typeof piece === 'string' || typeof piece === 'number' ? String(piece) : ''
  } catch {
    return ''
  }
}
