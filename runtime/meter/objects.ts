import type { ObjectState } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/calls.ts'
import { type Result, refusalOf } from '../kernel/errors.ts'
import type { Hold } from '../kernel/hold.ts'
import { type Counter, Counters, type Meter, type MeterDump, noMeterOwner } from './counters.ts'
import { type Claim, MeterTotals } from './totals.ts'
import type { Allowance } from './types.ts'
import type { WindowKind } from './window.ts'

/** Spends of one moment reach the directory together. */
const COALESCE_MS = 50

/** Calls of the object of a person, a team or the app. */
export interface CounterCalls {
  consume: { ask: { meter: Meter; n: number; id: string | null }; answer: Allowance }
  peek: { ask: { meter: Meter; n: number }; answer: Allowance }
  refund: { ask: { meter: Meter; id: string }; answer: Allowance }
}

/** Calls of the directory about what is spent. */
export interface MeterListCalls {
  apply: { ask: { subject: string; counters: Counter[] }; answer: void }
  sum: {
    ask: { key: string; kind: WindowKind; start: number }
    answer: { spent: number; people: number }
  }
  /** Null: there is no person to count for. */
  claim: { ask: { id: string; claim: Claim }; answer: Claim | null }
  claimed: { ask: { id: string }; answer: Claim | null }
  forget: { ask: { subject: string }; answer: void }
  /** Adds the ids that came along with the counters of another account. */
  take: { ask: { subject: string; spends: { id: string; key: string; at: number }[] }; answer: void }
}

/** The parts that the counters of an object work with. */
interface CounterParts {
  ctx: Pick<ObjectState, 'waitUntil' | 'storage'>
  hold: Hold
  /** Whether the one whose object this is exists; for others nothing is stored. */
  exists: () => boolean
  /** Makes sure that `flush` is called later, even if this object ends now. */
  wake: () => void
  report: (error: unknown) => void
  /** Brings counters to the directory, which may receive them twice. */
  send: (counters: Counter[]) => Promise<void>
}

/** The counters of one object, and their way to the directory. */
export class ObjectMeters {
  readonly #parts: CounterParts
  readonly #counters: Counters
  #isFlushRequested = false

  constructor(parts: CounterParts) {
    this.#parts = parts
    this.#counters = new Counters(parts.ctx.storage)
  }

  answer<Kind extends keyof CounterCalls>(kind: Kind, ask: CounterCalls[Kind]['ask']): Result<Allowance> {
    const { hold, exists } = this.#parts
    try {
      if (!exists()) throw noMeterOwner()
      if (kind !== 'peek') hold.require()
      const value = this.#handlers[kind](ask)
      if (kind !== 'peek') this.#requestFlush()
      return { ok: true, value }
    } catch (error) {
      return refusalOf(error)
    }
  }

  readonly #handlers: HandlersOf<CounterCalls> = {
    consume: ({ meter, n, id }) => this.#counters.consume(meter, n, id, Date.now()),
    peek: ({ meter, n }) => this.#counters.peek(meter, n, Date.now()),
    refund: ({ meter, id }) => this.#counters.refund(meter, id, Date.now()),
  }

  /** Sends what the directory lacks; throws when it cannot be reached. */
  async flush(): Promise<void> {
    const counters = this.#counters.unsent()
    if (counters.length === 0) return
    await this.#parts.send(counters)
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
    this.#parts.wake()
    this.#isFlushRequested = true
    setTimeout(() => {
      this.#isFlushRequested = false
      // The alarm repeats what fails here.
      this.#parts.ctx.waitUntil(this.flush().catch(this.#parts.report))
    }, COALESCE_MS)
  }
}

/** Answers the directory's calls about what is spent. What arrives for an erased person is dropped. */
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
