import type { RuntimeBinding } from '../../products/binding.ts'
import { OWN_ENTRY, hasOwnEntry } from '../own-entry.ts'
import type { GroupPlan, PlannedWorker } from '../plan.ts'
import { nativeBinding, workerService } from './native-binding.ts'

/** Events that reach a worker otherwise than by a request. */
const EVENTS = ['queue', 'scheduled']

const workersWithEvents = (plan: GroupPlan) =>
  plan.workers.filter(({ content }) => content.handlers.some((handler) => EVENTS.includes(handler)))

export function hasEventHandlers(plan: GroupPlan): boolean {
  return workersWithEvents(plan).length > 0
}

/** One way in for each worker that takes events, under its name. */
export function eventBindings(plan: GroupPlan): Record<string, RuntimeBinding> {
  return Object.fromEntries(
    workersWithEvents(plan).map((worker) => [
      `worker:${worker.script.name}`,
      nativeBinding({ service: entryOf(worker) }),
    ]),
  )
}

function entryOf(worker: PlannedWorker): { name: string; entrypoint?: string } {
  const name = workerService(worker.script.name)
  return hasOwnEntry(worker) ? { name, entrypoint: OWN_ENTRY } : { name }
}

/**
 * Hands events to workers: `POST /<worker>/queue` and `POST /<worker>/scheduled`. Answers what the runtime says about
 * how it went.
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
const handlers = {
  queue: (entry, { queue, messages, metadata }) => entry.queue(queue, messages.map(toMessage), {
    metrics: { ...metadata, oldestMessageTimestamp: new Date(metadata.oldestMessageTimestamp) },
  }),
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
