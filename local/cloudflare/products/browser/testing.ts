import type { Page } from './chromium.ts'

type Params = Record<string, unknown>

/**
 * A page of a browser that records the commands it gets. `answers` has the result of each command, or a function that
 * returns it; a command without one returns an empty object.
 */
export function recordingPage(answers: Record<string, Params | ((params: Params) => Params)> = {}) {
  const sent: [method: string, params: Params][] = []
  const handlers: [event: string, handler: (params: Params) => void][] = []
  const page: Page = {
    send: async (method, params = {}) => {
      sent.push([method, params])
      const answer = answers[method] ?? {}
      return typeof answer === 'function' ? answer(params) : answer
    },
    on: (event, handler) => void handlers.push([event, handler]),
    next: () => new Promise(() => {}),
    close: async () => {},
  }
  const emit = (event: string, params: Params) => {
    for (const [name, handler] of handlers) if (name === event) handler(params)
  }
  /** Sends lifecycle events of the frame `main`, or of another one: `child load`. */
  const emitLifecycle = (...events: string[]) => {
    for (const event of events) {
      const [name, frameId = 'main'] = event.split(' ').reverse()
      emit('Page.lifecycleEvent', { name, frameId })
    }
  }
  return { page, sent, emit, emitLifecycle }
}
