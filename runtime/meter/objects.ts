import type { ObjectState } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { type Result, failureAnswer } from '../kernel/errors.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import { type Counter, Counters, type Meter, type MeterDump, noMeterOwner } from './counters.ts'
import { type SpendClaim, MeterTotals } from './totals.ts'
import type { Allowance } from './types.ts'
import type { WindowKind } from '../kernel/window.ts'

/** Spends within this time are sent to the directory in one call. */
const COALESCE_MS = 50

/** RPC methods of the Durable Object of a person, a team or the app. */
export interface CounterCalls {
  consume: { ask: { meter: Meter; n: number; id: string | null }; answer: Allowance }
  peek: { ask: { meter: Meter; n: number }; answer: Allowance }
  refund: { ask: { meter: Meter; id: string }; answer: Allowance }
}

export interface MeterListCalls {
  apply: { ask: { subject: string; counters: Counter[] }; answer: void }
  sum: {
    ask: { key: string; kind: WindowKind; start: number }
    answer: { spent: number; people: number }
  }
  /** Reserves the id of a spend. Returns the stored claim, which may be an earlier one; null for a person who does not exist. */
  claim: { ask: { id: string; claim: SpendClaim }; answer: SpendClaim | null }
  claimed: { ask: { id: string }; answer: SpendClaim | null }
  forget: { ask: { subject: string }; answer: void }
  /** Adds the spend ids that were copied from another cloud account, together with the counters of `subject`. */
  take: { ask: { subject: string; spends: { id: string; key: string; at: number }[] }; answer: void }
}

interface CounterDeps {
  ctx: Pick<ObjectState, 'waitUntil' | 'storage'>
  hold: Hold
  /** Returns false when the person or team does not exist. Nothing is stored then. */
  exists: () => boolean
  /** Ensures that `flush` is called later, even if this object stops now. */
  wake: () => void
  report: (error: unknown) => void
  /** Sends counters to the directory. May send the same counters twice. */
  send: (counters: Counter[]) => Promise<void>
}

export class ObjectMeters {
  readonly #deps: CounterDeps
  readonly #counters: Counters
  #isFlushRequested = false

  constructor(deps: CounterDeps) {
    this.#deps = deps
    this.#counters = new Counters(deps.ctx.storage)
  }

  answer<Kind extends keyof CounterCalls>(kind: Kind, ask: CounterCalls[Kind]['ask']): Result<Allowance> {
    const { hold, exists } = this.#deps
    try {
      if (!exists()) throw noMeterOwner()
      if (kind !== 'peek') hold.require()
      const value = this.#handlers[kind](ask)
      if (kind !== 'peek') this.#requestFlush()
      return { ok: true, value }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<CounterCalls> = {
    consume: ({ meter, n, id }) => this.#counters.consume(meter, n, id, Date.now()),
    peek: ({ meter, n }) => this.#counters.peek(meter, n, Date.now()),
    refund: ({ meter, id }) => this.#counters.refund(meter, id, Date.now()),
  }

  /** Sends changed counters. Throws when the directory cannot be reached. */
  async flush(): Promise<void> {
    const counters = this.#counters.unsent()
    if (counters.length === 0) return
    await this.#deps.send(counters)
    this.#counters.markSent(counters)
  }

  count(): number {
    return this.#counters.count()
  }

  dump(): MeterDump | null {
    return this.#counters.dump()
  }

  restore(dump: MeterDump): void {
    this.#counters.restore(dump)
    this.#requestFlush()
  }

  #requestFlush(): void {
    if (this.#isFlushRequested || this.#counters.unsent().length === 0) return
    this.#deps.wake()
    this.#isFlushRequested = true
    setTimeout(() => {
      this.#isFlushRequested = false
      // When this fails, the alarm retries it.
      this.#deps.ctx.waitUntil(this.flush().catch(this.#deps.report))
    }, COALESCE_MS)
  }
}

export function meterListHandlers(
  storage: ObjectState['storage'],
  isKnown: (subject: string) => boolean,
): HandlersOf<MeterListCalls> {
  const totals = new MeterTotals(storage)
  return {
    apply: ({ subject, counters }) => {
      if (isKnown(subject)) totals.apply(subject, counters)
    },
    sum: ({ key, kind, start }) => totals.sum(key, kind, start),
    claim: ({ id, claim }) => (isKnown(claim.subject) ? totals.claim(id, claim, Date.now()) : null),
    claimed: ({ id }) => totals.claimed(id, Date.now()),
    forget: ({ subject }) => totals.forget(subject),
    take: ({ subject, spends }) => {
      for (const { id, key, at } of spends) totals.claim(id, { key, subject }, at)
    },
  }
}
