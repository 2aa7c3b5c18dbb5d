import { randomBytes } from 'node:crypto'
import type { Store } from '../../../world/store.ts'
import {
  deleteMessage,
  findLeasedMessage,
  listDeliverableMessages,
  type Message,
  setLease,
} from './messages.ts'
import type { Consumer, Queue } from './store.ts'
import { failMessage } from './settle.ts'

/** Messages pulled over HTTP. Each is leased to its client until the visibility timeout ends. */

interface PulledMessage {
  message: Message
  leaseId: string
}

/** Leases messages to a client. An earlier pulled message that was not acknowledged in time counts as failed. */
export function pullMessages(
  store: Store,
  source: { queue: Queue; consumer: Consumer },
  { limit, visibilityMs, at }: { limit: number; visibilityMs: number; at: number },
): PulledMessage[] {
  const { id } = source.queue
  return store.transact(() => {
    let due = listDeliverableMessages(store, id, at, limit)
    // A failed message becomes due now, behind others. Read the due messages again, because more of them may have expired leases.
    for (let lapsed = due.filter(isLeased); lapsed.length > 0; lapsed = due.filter(isLeased)) {
      for (const message of lapsed) failMessage(store, source, message, 0, at)
      due = listDeliverableMessages(store, id, at, limit)
    }
    return due.map((message) => {
      const lease = randomBytes(12).toString('base64url')
      setLease(store, message, lease, at + visibilityMs)
      return { message, leaseId: `${message.seq}.${lease}` }
    })
  })
}

const isLeased = ({ lease }: Message): boolean => lease !== null

/** What a client reports about a pulled message: acknowledged, or to be retried after `delaySeconds`. */
export interface Lease {
  id: string
  isAcked: boolean
  delaySeconds: number | undefined
}

/** Deletes the acknowledged messages and retries the others as failed deliveries. Reports expired leases as `unknown`. */
export function settlePulled(
  store: Store,
  source: { queue: Queue; consumer: Consumer },
  leases: Lease[],
  at: number,
): { acked: number; retried: number; unknown: string[] } {
  const result = { acked: 0, retried: 0, unknown: [] as string[] }
  store.transact(() => {
    for (const { id, isAcked, delaySeconds } of leases) {
      const [seq = '', lease = ''] = id.split('.')
      const message = findLeasedMessage(store, source.queue.id, Number(seq), lease)
      // When the lease has expired, another client may have pulled the message.
      if (message === null || message.visibleAt <= at) result.unknown.push(id)
      else if (isAcked) result.acked += Number(deleteMessage(store, message))
      else {
        failMessage(store, source, message, delaySeconds, at)
        result.retried++
      }
    }
  })
  return result
}
