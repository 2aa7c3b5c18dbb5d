import type { ResultMethod, Method } from '../kernel/objects/calls.ts'
import type { GrantCalls, OrderCalls } from './calls.ts'
import type { createOrders } from './object.ts'
import type { JobInfo, JobOutcome } from '../kernel/objects/jobs.ts'
import type { PaidEvent } from './types.ts'

export interface Methods {
  /** Handled by the Durable Object of the directory. */
  orders: ResultMethod<OrderCalls>
  /** Handled by the Durable Object of a person. */
  grants: Method<GrantCalls>
}

declare module '../kernel/objects/part.ts' {
  interface LazyParts {
    createOrders: typeof createOrders
  }
}

declare module '../kernel/objects/runs.ts' {
  interface HandlersBinding {
    paid(event: PaidEvent, info: JobInfo): Promise<JobOutcome>
  }
}
