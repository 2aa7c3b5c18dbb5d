import * as z from 'zod'
import type { Store } from '../../world/store.ts'
import type { Apps } from './apps.ts'
import { fetchWorker } from '../workerd/worker-socket.ts'
import { SHIMS_WORKER } from '../workerd/rpc.ts'
import { type Batch, DeliveryInterruptedError } from '../products/queues/deliveries.ts'
import { BatchOutcome, failedRun } from '../products/queues/settle.ts'
import { findScriptById, readActiveVersion } from '../store/scripts.ts'
import type { Script } from '../types.ts'
import { AppUnavailableError } from '../workerd/groups.ts'

/** Events that reach a worker without a request: batches of queue messages, cron ticks and mail. */

// The provider's time limit for a queue consumer and a scheduled run.
const RUN_MS_MAX = 15 * 60_000

const NOT_DEPLOYED_MS = 2000
const RETRY_AFTER_CRASH_MS = 500

interface EventDeps {
  store: Store
  apps: Pick<Apps, 'group'>
}

const EventAnswer = z.looseObject({
  outcome: z.string(),
  /** The worker's reason for rejecting a mail. */
  rejected: z.string().exactOptional(),
  /** The message of an exception in the worker. */
  message: z.string().exactOptional(),
})
type EventAnswer = z.output<typeof EventAnswer>

/** Delivers a batch of queue messages. Throws `DeliveryInterruptedError` when the outcome is unknown. */
export async function deliverBatch(deps: EventDeps, batch: Batch): Promise<BatchOutcome> {
  const script = findScriptById(deps.store, batch.scriptId)
  if (script === null) throw new DeliveryInterruptedError(NOT_DEPLOYED_MS)
  const answer = await sendEvent(deps, script, 'queue', {
    queue: batch.queue.name,
    metadata: batch.metadata,
    messages: batch.messages.map(({ id, sentAt, failures, format, body }) => ({
      id,
      timestamp: sentAt,
      attempts: failures + 1,
      format,
      data: Buffer.from(body).toString('base64'),
    })),
  })
  return BatchOutcome.parse({ ...failedRun, ...answer })
}

/** Runs a scheduled handler. Throws `DeliveryInterruptedError` when the outcome is unknown. */
export async function fireTick(
  deps: EventDeps,
  script: Script,
  tick: { cron: string; scheduledTime: number },
): Promise<string> {
  return (await sendEvent(deps, script, 'scheduled', tick)).outcome
}

/** Delivers a mail. Throws `DeliveryInterruptedError` when the outcome is unknown. */
export async function deliverMail(
  deps: EventDeps,
  script: Script,
  mail: { from: string; to: string; raw: string },
): Promise<EventAnswer> {
  return await sendEvent(deps, script, 'email', mail)
}

async function sendEvent(
  { store, apps }: EventDeps,
  script: Script,
  event: 'queue' | 'scheduled' | 'email',
  body: object,
): Promise<EventAnswer> {
  const content = readActiveVersion(store, script.id)?.content
  if (content === undefined) throw new DeliveryInterruptedError(NOT_DEPLOYED_MS)
  // As at the provider, the event fails when the worker does not export a handler for it.
  if (!content.handlers.includes(event)) return { outcome: 'exception' }
  const group = apps.group(script.groupId, script.accountId)
  // Null until the event is sent: an earlier overrun was caused by another event or request.
  let overrunsBefore: number | null = null
  try {
    await group.enter(SHIMS_WORKER)
    try {
      const socket = await group.socket(SHIMS_WORKER)
      overrunsBefore = group.overruns
      const response = await fetchWorker(socket, `/${script.name}/${event}`, {
        method: 'POST',
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(RUN_MS_MAX),
      })
      return EventAnswer.parse(await response.json())
    } finally {
      group.leave()
    }
  } catch (error) {
    // The event has failed when the app was killed for exceeding a limit. After any other restart the event is delivered again.
    if (overrunsBefore !== null && group.overruns !== overrunsBefore)
      return { outcome: group.lastOverrun?.outcome ?? 'exceededCpu' }
    if (error instanceof DOMException && error.name === 'TimeoutError') return { outcome: 'exceededWallTime' }
    throw new DeliveryInterruptedError(
      error instanceof AppUnavailableError ? error.retryAfterSeconds * 1000 : RETRY_AFTER_CRASH_MS,
    )
  }
}
