/**
 * A module for workers whose log lines are recorded, but not their invocations. It is loaded before the worker's code and adds a mark to
 * each line, from which `lines.ts` finds out which worker wrote the line.
 */
export const LINES_MODULE = 'slipway-lines.mjs'

/** The level of a line that reports an uncaught exception together with the event that the handler got. */
export const UNCAUGHT_LEVEL = 'uncaught'

export const CONSOLE_LEVELS = ['debug', 'error', 'info', 'log', 'warn']

/** Source of the module that prefixes each output line of a worker with `mark`. */
export const linesSource = (mark: string): string => `
const MARK = ${JSON.stringify(mark)}
${MARKING_SOURCE}
${ERROR_REPORTER_SOURCE}
`

/** Source of statements that make the handlers of a worker also write their uncaught exceptions to its output. */
export const watchSource = (mainModule: string): string => `
import { watch } from './${LINES_MODULE}'
import * as worker from ${JSON.stringify(`./${mainModule}`)}
watch(worker)
`

// The text of a line is URI-encoded, because Miniflare drops output that resembles certain messages of the runtime.
const MARKING_SOURCE = `
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
for (const level of ${JSON.stringify(CONSOLE_LEVELS)}) {
  const write = console[level].bind(console)
  console[level] = (...message) => write(marked(level, message.map(shorten)))
}
`

// Patches only event handlers. RPC methods are not patched, so that RPC calls cost nothing: an exception of an RPC method goes to the
// caller, and the runtime does not report it to a tail worker either. Classes and objects are patched in place, so that the exports stay
// the same.
const ERROR_REPORTER_SOURCE = `
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
  writeError(marked('${UNCAUGHT_LEVEL}', [{ event: EVENTS[handler](about ?? {}), exception }]))
}
const watched = (handler, own) =>
  function (...args) {
    const fail = (error) => tell(handler, args[0], error)
    try {
      const result = Reflect.apply(own, this, args)
      // Return the original promise, not the one with the error handler.
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
