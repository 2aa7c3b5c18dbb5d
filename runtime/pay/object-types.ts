import type { ResultMethod, Method } from '../kernel/calls.ts'
import type { GrantCalls, OrderCalls } from './calls.ts'
import type { ObjectOrders } from './object.ts'
import type { JobInfo, JobOutcome } from '../kernel/jobs.ts'
import type { PaidEvent } from './types.ts'

export interface Methods {
  /** Called on the directory. */
  orders: ResultMethod<OrderCalls>
  /** Called on the object of the person. */
  grants: Method<GrantCalls>
}

declare module '../kernel/part.ts' {
  interface LazyClasses {
    ObjectOrders: typeof ObjectOrders
  }
}

declare module '../kernel/runs.ts' {
  interface HandlersBinding {
    paid(event: PaidEvent, info: JobInfo): Promise<JobOutcome>
  }
}
