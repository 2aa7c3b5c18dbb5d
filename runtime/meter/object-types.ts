import type { Method } from '../kernel/objects/calls.ts'
import type { Result } from '../kernel/errors.ts'
import type { MeterDump } from './counters.ts'
import type { CounterCalls, MeterListCalls } from './objects.ts'
import type { Allowance } from './types.ts'

export interface Methods {
  meter<Kind extends keyof CounterCalls>(
    kind: Kind,
    ask: CounterCalls[Kind]['ask'],
  ): Promise<Result<Allowance>>
  countMeters(): Promise<number>
  /** Handled by the Durable Object of the directory. */
  meters: Method<MeterListCalls>
}

export interface Head {
  meters?: MeterDump | null
}
