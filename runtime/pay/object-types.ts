import type { ResultMethod, Method } from '../kernel/calls.ts'
import type { GrantCalls, OrderCalls } from './calls.ts'

export interface Methods {
  /** Called on the directory. */
  orders: ResultMethod<OrderCalls>
  /** Called on the object of the person. */
  grants: Method<GrantCalls>
}
