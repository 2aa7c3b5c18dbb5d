import { OWN_ENTRY, hasOwnEntry } from '../own-entry.ts'
import type { GroupPlan, PlannedWorker } from '../../workerd/plan.ts'
import { nativeBinding, type RuntimeBinding, workerService } from '../../workerd/native-binding.ts'

/** Handlers for events other than requests. */
const EVENT_HANDLERS = ['queue', 'scheduled', 'email']

const workersWithEvents = (plan: GroupPlan) =>
  plan.workers.filter(({ content }) => content.handlers.some((handler) => EVENT_HANDLERS.includes(handler)))

export function hasEventHandlers(plan: GroupPlan): boolean {
  return workersWithEvents(plan).length > 0
}

/** Bindings to the workers that handle events, by worker name. */
export function eventBindings(plan: GroupPlan): Record<string, RuntimeBinding> {
  return Object.fromEntries(
    workersWithEvents(plan).map((worker) => [
      `worker:${worker.script.name}`,
      nativeBinding({ service: workerEntry(worker) }),
    ]),
  )
}

function workerEntry(worker: PlannedWorker): { name: string; entrypoint?: string } {
  const name = workerService(worker.script.name)
  return hasOwnEntry(worker) ? { name, entrypoint: OWN_ENTRY } : { name }
}

/**
 * Delivers events to workers: `POST /<worker>/queue`, `/<worker>/scheduled` and `/<worker>/email`. Responds with the runtime's
 * outcome. `email()` is called directly, because the runtime has no event for mail.
 */
export const eventEntrySource = `
const toMessage = ({ id, timestamp, attempts, format, data }) => {
  const bytes = Uint8Array.fromBase64(data)
  const head = { id, timestamp: new Date(timestamp), attempts }
  if (format === 'v8') return { ...head, serializedBody: bytes }
  if (format === 'bytes') return { ...head, body: bytes.buffer }
  const text = new TextDecoder().decode(bytes)
  return { ...head, body: format === 'json' ? JSON.parse(text) : text }
}
const headersOf = (raw) => {
  const [head] = raw.split(/\\r?\\n\\r?\\n/, 1)
  const headers = new Headers()
  for (const line of head.replaceAll(/\\r?\\n[ \\t]+/g, ' ').split(/\\r?\\n/)) {
    const at = line.indexOf(':')
    if (at > 0 && /^[\\w-]+$/.test(line.slice(0, at))) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}
const handlers = {
  queue: (entry, { queue, messages, metadata }) => entry.queue(queue, messages.map(toMessage), {
    metrics: { ...metadata, oldestMessageTimestamp: new Date(metadata.oldestMessageTimestamp) },
  }),
  email: async (entry, { from, to, raw }) => {
    const bytes = new TextEncoder().encode(raw)
    let rejected
    const refuse = async (what) => { throw new Error(what + ' is not available in the local cloud') }
    await entry.email({
      from, to, raw: new Response(bytes).body, rawSize: bytes.byteLength, headers: headersOf(raw), canBeForwarded: false,
      setReject: (reason) => { rejected = String(reason) },
      forward: () => refuse('forward()'),
      reply: () => refuse('reply()'),
    })
    return { outcome: 'ok', rejected }
  },
  scheduled: (entry, { cron, scheduledTime }) => entry.scheduled({ cron, scheduledTime: new Date(scheduledTime) }),
}
export default {
  async fetch(request, env) {
    const [, worker, event] = new URL(request.url).pathname.split('/')
    const asked = await request.json()
    try {
      return Response.json(await handlers[event](env['worker:' + worker], asked))
    } catch (error) {
      return Response.json({ outcome: 'exception', message: String(error?.message ?? error) })
    }
  },
}
`
