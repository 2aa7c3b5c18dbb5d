import type { Log } from '../../../world/log.ts'
import type { Store } from '../../../world/store.ts'
import {
  deleteExpired,
  listDeliverableMessages,
  listDueTimes,
  type Message,
  nextVisibleAt,
  readMetrics,
  releaseWorkerLeases,
  setLease,
  WORKER_LEASE,
} from './messages.ts'
import {
  type Consumer,
  findQueue,
  listGroupQueues,
  listWorkerConsumers,
  type Queue,
  readConsumer,
  readQueue,
} from './store.ts'
import { type BatchOutcome, settleBatch } from './settle.ts'

/** The messages of one call of a worker's `queue()` handler. `metadata` describes the queue when the call began. */
export interface Batch {
  queue: Queue
  scriptId: string
  messages: Message[]
  metadata: { backlogCount: number; backlogBytes: number; oldestMessageTimestamp: number }
}

/**
 * Thrown when the outcome of a batch is unknown, because the worker could not be reached or its process
 * ended. The batch is delivered again.
 */
export class DeliveryInterruptedError extends Error {
  readonly retryAfterMs: number
  constructor(retryAfterMs: number) {
    super('the delivery was interrupted')
    this.retryAfterMs = retryAfterMs
  }
}

interface DeliveryDeps {
  store: Store
  now(): number
  /** Delivers a batch to its worker. Throws `DeliveryInterruptedError` when the outcome is unknown. */
  deliver(batch: Batch): Promise<BatchOutcome>
  log: Log
}

interface QueueConsumer {
  queue: Queue
  consumer: Consumer
}

interface ConsumerState {
  running: number
  timer: NodeJS.Timeout | null
  /** A time of `performance.now()` until which no batch is delivered, because the last delivery was interrupted. */
  heldUntil: number
}

// The default number of concurrent batches per queue. The provider scales it with the backlog, but a workerd
// process has only one thread.
const AUTO_CONCURRENCY = 5
const FAILED_HOLD_MS = 1000
// The minimum pause of a failing consumer, so that a consumer that always fails does not block this process.
const HOLD_MS_MIN = 5
const EXPIRY_CHECK_MS = 60_000
const TIMER_MAX_MS = 2 ** 31 - 1

/**
 * Delivers messages from the store to the workers that consume them. A message is stored until the worker's outcome is known, so
 * a crash at any moment repeats a delivery and loses no message.
 */
export class QueueDeliveries {
  readonly #deps: DeliveryDeps
  readonly #consumerStates = new Map<string, ConsumerState>()
  #expiryTimer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(deps: DeliveryDeps) {
    this.#deps = deps
  }

  /** First releases the leases of the previous process, whose deliveries have no outcome. */
  start(): void {
    releaseWorkerLeases(this.#deps.store)
    this.#expiryTimer = setInterval(() => this.#deleteExpired(), EXPIRY_CHECK_MS).unref()
    this.checkAll()
  }

  close(): void {
    this.#isClosed = true
    if (this.#expiryTimer !== null) clearInterval(this.#expiryTimer)
    for (const { timer } of this.#consumerStates.values()) if (timer !== null) clearTimeout(timer)
  }

  /**
   * Deletes expired messages and delivers the due messages of all queues. Called at the start, and when a
   * test has advanced the clock.
   */
  checkAll(): void {
    this.#deleteExpired()
    for (const { queueId } of listWorkerConsumers(this.#deps.store)) this.check(queueId)
  }

  /** Delivers the due messages of a queue and schedules the next check. Call it when anything about the queue has changed. */
  readonly check = (queueId: string): void => {
    if (this.#isClosed) return
    const state = this.#consumerStateOf(queueId)
    if (state.timer !== null) clearTimeout(state.timer)
    state.timer = null
    const waitMs = this.#startBatches(queueId, state)
    if (waitMs === null) return
    const delayMs = Math.min(Math.max(waitMs, 0), TIMER_MAX_MS)
    state.timer = setTimeout(() => this.check(queueId), delayMs).unref()
  }

  /**
   * Returns the epoch milliseconds of the next delivery to a worker of this group (the workers that share one
   * process); null when no message waits.
   */
  nextAt(groupId: string): number | null {
    const { store, now } = this.#deps
    const times = listGroupQueues(store, groupId).map((queue) => {
      if ((this.#consumerStates.get(queue.id)?.running ?? 0) > 0) return now()
      return queue.isPaused ? null : nextVisibleAt(store, queue.id, now())
    })
    const known = times.filter((time) => time !== null)
    return known.length === 0 ? null : Math.min(...known)
  }

  #consumerStateOf(queueId: string): ConsumerState {
    let state = this.#consumerStates.get(queueId)
    if (state === undefined) {
      state = { running: 0, timer: null, heldUntil: 0 }
      this.#consumerStates.set(queueId, state)
    }
    return state
  }

  /**
   * Starts batches up to the consumer's concurrency. Returns the milliseconds until the next check; null when no timer
   * is needed, because the end of a batch or a change of the queue causes the next check.
   */
  #startBatches(queueId: string, state: ConsumerState): number | null {
    const { store, now } = this.#deps
    const queue = readQueue(store, queueId)
    const consumer = readConsumer(store, queueId)
    if (queue === null) this.#consumerStates.delete(queueId)
    if (queue === null || queue.isPaused || consumer?.type !== 'worker') return null
    const heldMs = state.heldUntil - performance.now()
    if (heldMs > 0) return heldMs
    const { batch_size: size, max_wait_time_ms: waitMs, max_concurrency: most } = consumer.settings
    while (state.running < (most ?? AUTO_CONCURRENCY)) {
      const at = now()
      const dueSince = listDueTimes(store, queueId, at, size)
      const [first] = dueSince
      if (first === undefined) {
        const next = nextVisibleAt(store, queueId, at)
        return next === null ? null : next - at
      }
      // A partial batch waits for more messages up to its wait time.
      if (dueSince.length < size && first + waitMs > at) return first + waitMs - at
      this.#sendBatch(state, { queue, consumer }, listDeliverableMessages(store, queueId, at, size))
    }
    return null
  }

  #sendBatch(state: ConsumerState, source: QueueConsumer, messages: Message[]): void {
    this.#leaseMessages(messages, WORKER_LEASE)
    state.running++
    void this.#deliverBatch(source, messages)
      .catch((error: unknown) => {
        const isKnown = error instanceof DeliveryInterruptedError
        state.heldUntil =
          performance.now() + Math.max(HOLD_MS_MIN, isKnown ? error.retryAfterMs : FAILED_HOLD_MS)
        if (this.#isClosed) return
        this.#leaseMessages(messages, null)
        if (!isKnown)
          this.#deps.log.warn('a delivery failed', { queue: source.queue.name, error: String(error) })
      })
      .finally(() => {
        state.running--
        this.check(source.queue.id)
      })
  }

  #leaseMessages(messages: Message[], lease: string | null): void {
    const { store } = this.#deps
    store.transact(() => {
      for (const message of messages) setLease(store, message, lease, message.visibleAt)
    })
  }

  async #deliverBatch(source: QueueConsumer, messages: Message[]): Promise<void> {
    const { queue, consumer } = source
    const { store, now, deliver } = this.#deps
    const { count, bytes, oldestAt } = readMetrics(store, queue.id)
    const metadata = { backlogCount: count, backlogBytes: bytes, oldestMessageTimestamp: oldestAt }
    const outcome = await deliver({ queue, scriptId: consumer.scriptId ?? '', messages, metadata })
    settleBatch(store, source, messages, outcome, now())
    if (consumer.deadLetterQueue !== null) this.#checkDeadLetters(queue, consumer.deadLetterQueue)
  }

  #checkDeadLetters(queue: Queue, deadLetterQueue: string): void {
    const target = findQueue(this.#deps.store, queue.accountId, deadLetterQueue)
    if (target !== null) this.check(target.id)
  }

  #deleteExpired(): void {
    deleteExpired(this.#deps.store, this.#deps.now())
  }
}
