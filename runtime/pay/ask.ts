import { unwrapResult } from '../kernel/errors.ts'
import { directoryOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import type { OrderCalls } from './calls.ts'

/** Calls the directory object, which stores the orders. Throws the `ApiError` that it returns. */
export async function callOrders<Kind extends keyof OrderCalls>(
  objects: Objects,
  tier: Tier,
  kind: Kind,
  ask: OrderCalls[Kind]['ask'],
): Promise<OrderCalls[Kind]['answer']> {
  return unwrapResult(await directoryOf(objects, tier).orders(kind, ask))
}
