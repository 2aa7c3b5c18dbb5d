import type { ResultMethod, Method } from '../kernel/calls.ts'
import type { GrantCalls, OrderCalls } from './calls.ts'

export interface Methods {
  /** In the directory. */
  orders: ResultMethod<OrderCalls>
  /** In the object of the person. */
  grants: Method<GrantCalls>
}
