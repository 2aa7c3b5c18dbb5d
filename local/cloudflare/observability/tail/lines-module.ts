/** What each worker that keeps no invocations runs before its own code. */
export const LINES_MODULE = 'slipway-lines.mjs'

/** The level of what is no line: an exception that a handler did not catch, with what the handler was called for. */
export const UNCAUGHT = 'uncaught'

export const LEVELS = ['debug', 'error', 'info', 'log', 'warn']

/** The module that puts a mark in front of what a worker writes. */
export const linesSource = (mark: string): string => `
const MARK = ${JSON.stringify(mark)}
${MARKING}
${WATCHING}
`

/** What an entry says so that the exceptions of its handlers are written too. */
export const watchSource = (mainModule: string): string => `
import { watch } from './${LINES_MODULE}'
import * as worker from ${JSON.stringify(`./${mainModule}`)}
watch(worker)
`

// Encoded, because the reader of the output drops lines that look like some of the runtime's own.
const MARKING = `
const LINE_MAX = 16384
const shorten = (value) => {
  if (typeof value === 'string') return value.slice(0, LINE_MAX)
  try {
    const json = JSON.stringify(value)
    return json === undefined ? String(value) : json.length > LINE_MAX ? json.slice(0, LINE_MAX) : JSON.parse(json)
  } catch {
    return String(value)
  }
}
const writeError = console.error.bind(console)
const marked = (level, values) => MARK + ' ' + level + ' ' + encodeURIComponent(JSON.stringify(values))
for (const level of ${JSON.stringify(LEVELS)}) {
  const write = console[level].bind(console)
  console[level] = (...message) => write(marked(level, message.map(shorten)))
}
`

// Handlers only: what a method throws to its caller in another worker is no exception of its own invocation (the
// runtime reports it to a tail as little), so that calls of methods cost nothing. Classes and objects are changed in
// place, which no code can tell from their exports.
const WATCHING = `
const EVENTS = {
  fetch: ({ url, method }) => ({ request: { url, method, headers: {} } }),
  scheduled: ({ cron, scheduledTime }) => ({ cron, scheduledTime }),
  queue: ({ queue }) => ({ queue }),
  email: ({ from, to }) => ({ mailFrom: from, rcptTo: to }),
  alarm: () => ({ scheduledTime: Date.now() }),
  webSocketMessage: () => ({ getWebSocketEvent: { webSocketEventType: 'message' } }),
  webSocketClose: () => ({ getWebSocketEvent: { webSocketEventType: 'close' } }),
  webSocketError: () => ({ getWebSocketEvent: { webSocketEventType: 'error' } }),
}
const tell = (handler, about, error) => {
  const { name, message, stack } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  const exception = { name: shorten(name), message: shorten(message), stack: shorten(stack ?? '') }
  writeError(marked('${UNCAUGHT}', [{ event: EVENTS[handler](about ?? {}), exception }]))
}
const watched = (handler, own) =>
  function (...args) {
    const fail = (error) => tell(handler, args[0], error)
    try {
      const result = Reflect.apply(own, this, args)
      // Beside it: who called gets the promise itself.
      if (typeof result?.then === 'function') result.then(undefined, fail)
      return result
    } catch (error) {
      fail(error)
      throw error
    }
  }
const seen = new WeakSet()
const watchHandlers = (holder) => {
  if (holder === null || holder === Object.prototype || seen.has(holder)) return
  seen.add(holder)
  for (const handler of Object.keys(EVENTS)) {
    const { value: own, writable } = Object.getOwnPropertyDescriptor(holder, handler) ?? {}
    if (typeof own === 'function' && writable) holder[handler] = watched(handler, own)
  }
  watchHandlers(Object.getPrototypeOf(holder))
}
export const watch = (worker) => {
  for (const exported of Object.values(worker)) {
    if (typeof exported === 'function') watchHandlers(exported.prototype ?? null)
    else if (typeof exported === 'object') watchHandlers(exported)
  }
}
`
