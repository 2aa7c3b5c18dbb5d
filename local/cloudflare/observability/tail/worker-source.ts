/**
 * The name of the tail worker. Each process runs the workers of one group and has one tail worker. The tail worker receives the trace
 * events of workers whose invocations are recorded or that have a tail session. An uploaded worker cannot have this name.
 */
export const TAIL_WORKER = '_tail'
export const TAIL_ENTRYPOINT = 'Tail'

/**
 * Forwards reports of the other workers: immediately after a quiet period, otherwise in batches. Most invocations have neither a log line
 * nor a problem; these are forwarded only while a tail session is open. The events do not contain the name of the worker that caused them,
 * so each worker's binding to the tail worker passes the name in `ctx.props`.
 */
export const tailWorkerSource = `
const BATCH_MS = 200
const WAITING_CHARS_MAX = 4_000_000
const LINE_MAX = 16384
let listening = null
let waiting = []
let waitingChars = 0
let sending = null

const isQuiet = (item) => item.outcome === 'ok' && item.logs.length === 0 && item.exceptions.length === 0
const shorten = (value) => {
  const text = typeof value === 'string' ? value : undefined
  if (text !== undefined) return text.length > LINE_MAX ? text.slice(0, LINE_MAX) : text
  try {
    const json = JSON.stringify(value)
    return json === undefined ? String(value) : json.length > LINE_MAX ? json.slice(0, LINE_MAX) : JSON.parse(json)
  } catch {
    return String(value)
  }
}
const pack = (item) => ({
  outcome: item.outcome,
  truncated: item.truncated,
  executionModel: item.executionModel,
  entrypoint: item.entrypoint,
  eventTimestamp: item.eventTimestamp,
  event: packEvent(item.event),
  logs: item.logs.map(({ message, level, timestamp }) => ({ message: message.map(shorten), level, timestamp })),
  exceptions: item.exceptions.map(({ name, message, stack, timestamp }) => ({ name, message: shorten(message), stack, timestamp })),
})
const packEvent = (event) => {
  if (event === null || event === undefined) return null
  const { request } = event
  if (request === undefined) return JSON.parse(JSON.stringify(event))
  const packed = { request: { url: request.url, method: request.method, headers: request.headers, cf: {} } }
  if (event.response !== undefined) packed.response = { status: event.response.status }
  return packed
}

async function send(world) {
  try {
    while (waiting.length > 0) {
      const body = '[' + waiting.join(',') + ']'
      waiting = []
      waitingChars = 0
      const answer = await world.fetch('http://world/', { method: 'POST', body })
      listening = new Set(await answer.json())
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS))
    }
  } catch {
    // The process is shutting down, so the report cannot be delivered any more.
  } finally {
    sending = null
  }
}

// An object instead of a class: the runtime would create an instance of the class for every request of every worker.
export const Tail = {
  tail(items, env, ctx) {
    listening ??= new Set(env.LISTENING)
    // Most invocations return here, without a promise and without reading ctx.props, which is created on
    // each access.
    if (waiting.length === 0 && listening.size === 0 && items.every(isQuiet)) return
    const { script, isObserved } = ctx.props
    for (const item of items) {
      if (isQuiet(item) && !listening.has(script)) continue
      const text = JSON.stringify({ script, isObserved, item: pack(item) })
      // Bounded, so that a flood of lines does not fill this process's memory.
      if (waitingChars + text.length > WAITING_CHARS_MAX) continue
      waiting.push(text)
      waitingChars += text.length
    }
    if (waiting.length === 0) return
    sending ??= send(env.HOST)
    return sending
  },
}

export default {
  async fetch(request) {
    listening = new Set(await request.json())
    return new Response('ok')
  },
}
`
