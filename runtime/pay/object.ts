import { notSignedIn, failureAnswer } from '../kernel/errors.ts'
import { logError } from '../kernel/objects/log.ts'
import { MessageStore, type MessageWork, type WorkAttempt } from '../kernel/objects/messages.ts'
import { callHandlers, handlersOf, RECHECK_MS, type RunnerDeps } from '../kernel/objects/runs.ts'
import type { OrderCalls, PersonGrants } from './calls.ts'
import { OrderStore, type Payment } from './store.ts'
import type { ResultOf, HandlersOf } from '../kernel/objects/calls.ts'
import type { PartContext } from '../kernel/objects/part.ts'
import type { JsonText } from '../kernel/json-text.ts'

/** The maximum number of jobs that one alarm starts. The next alarm starts further ones. */
const JOBS_PER_ALARM = 20
/** The file of `server/jobs/` that is run for each payment. */
const PAID_JOB_NAME = 'paid'

type PaymentWork = MessageWork<'run', JsonText<Payment>>

export const createOrders = (parts: PartContext): ObjectOrders =>
  new ObjectOrders(parts, (id) => parts.users.find({ id }) !== null)

/**
 * The orders of one tier (production or preview), in the directory object of that tier. Runs the app's job for each payment.
 */
export class ObjectOrders {
  readonly #parts: RunnerDeps
  readonly #isPerson: (id: string) => boolean
  readonly #store: OrderStore
  readonly #jobs: MessageStore<PaymentWork>

  constructor(parts: RunnerDeps, isPerson: (id: string) => boolean) {
    this.#parts = parts
    this.#isPerson = isPerson
    this.#store = new OrderStore(parts.ctx.storage)
    this.#jobs = new MessageStore(parts.ctx.storage, 'pay')
  }

  answer<Kind extends keyof OrderCalls>(
    kind: Kind,
    ask: OrderCalls[Kind]['ask'],
  ): ResultOf<OrderCalls, Kind> {
    try {
      return { ok: true, value: this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<OrderCalls> = {
    begin: (order) => {
      this.#parts.hold.require()
      if (!this.#isPerson(order.user)) throw notSignedIn()
      return this.#store.begin(order, new Date())
    },
    opened: ({ id, session, url }) => this.#store.opened(id, session, url),
    drop: ({ id }) => this.#store.drop(id),
    customer: ({ user, mode }) => this.#store.customer(user, mode),
    forgetCustomer: ({ user, mode }) => this.#store.forgetCustomer(user, mode),
    status: ({ id, user }) => {
      const order = this.#store.order(id)
      return order?.user === user ? order.status : null
    },
    seen: ({ event }) => {
      const user = this.#store.findEventUser(event)
      return { isSeen: user !== undefined, told: this.#grantsOf(user ?? null) }
    },
    look: ({ order }) => this.#store.countCheck(order),
    settle: (event) => {
      // Reject the event while the app is copied to another cloud account: the copy would lack it, and Stripe
      // sends a rejected event again.
      this.#parts.hold.require()
      const now = new Date()
      const user = this.#parts.ctx.storage.transactionSync(() => {
        const settled = this.#store.settle(event, this.#isPerson, now)
        for (const one of settled.paid)
          this.#jobs.add(
            { id: one.order, kind: 'run', target: PAID_JOB_NAME, body: JSON.stringify(one) },
            now.getTime(),
          )
        return settled.user
      })
      this.#setAlarm()
      return this.#grantsOf(user)
    },
    list: ({ limit, withTest }) => this.#store.list(limit, withTest),
    entitlements: ({ limit, withTest }) => this.#store.entitlements(limit, withTest, new Date()),
    atStripe: ({ user }) => this.#store.atStripe(user, new Date()),
    count: ({ user }) => this.#store.count(user, new Date()),
    strip: ({ user }) => this.#store.strip(user),
    resume: () => {
      if (this.#jobs.count('run') > 0) this.#setAlarm()
    },
    dump: () => {
      const all = this.#store.dump()
      if (all === null) return null
      const { people, key, orders } = all
      return { people, pay: { key, orders, jobs: this.#jobs.dump() } }
    },
    restore: ({ user, dump }) => {
      this.#store.restore(user, dump)
      return this.#grantsOf(user)
    },
    restorePay: (dump) => {
      this.#store.restoreKey(dump)
      this.#store.restore(null, dump.orders)
      if (dump.jobs !== null) this.#jobs.restore(dump.jobs)
      this.#setAlarm()
    },
  }

  #grantsOf(user: string | null): PersonGrants | null {
    return user === null || !this.#store.isThere ? null : this.#store.personGrants(user)
  }

  wake(): void {
    const { hold, alarms, ctx } = this.#parts
    // No job can run while the data is copied to another cloud account or the app is not deployed, so check
    // again later.
    if (hold.isHeld || handlersOf(this.#parts, 'pay') === null)
      return alarms.set('paid', Date.now() + RECHECK_MS)
    const { starts, lost } = this.#jobs.due(['run'], Date.now(), JOBS_PER_ALARM)
    for (const { id } of lost) this.#reportGivenUp(id, 'It did not end in time.')
    this.#setAlarm()
    for (const start of starts) ctx.waitUntil(this.#runPaid(start))
  }

  async #runPaid(start: WorkAttempt<PaymentWork>): Promise<void> {
    const event = this.#store.paidEvent(JSON.parse(start.body))
    if (event === null) return
    const info = { id: start.id, attempt: start.attempt, scheduledAt: event.paidAt, userId: event.userId }
    const outcome = await callHandlers(this.#parts, 'pay', (handlers) => handlers.paid(event, info))
    // Store no outcome while the data is copied to another cloud account: the copy already lists this job as
    // unfinished, and the new account repeats it.
    if (this.#parts.hold.isHeld) return
    const settled = this.#jobs.settle(start, outcome.ok, Date.now())
    if (settled === 'given up' && !outcome.ok) this.#reportGivenUp(start.id, outcome.error)
    this.#setAlarm()
  }

  #reportGivenUp(order: string, why: string): void {
    const { tier } = this.#parts
    logError(new Error(`The job ${PAID_JOB_NAME} was given up for the order ${order}: ${why}`), {
      route: `job ${PAID_JOB_NAME}`,
      tier,
    })
  }

  #setAlarm(): void {
    const at = this.#jobs.nextAt(0)
    if (at !== null) this.#parts.alarms.set('paid', at)
  }
}
