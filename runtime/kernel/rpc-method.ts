import type { ResultOf, AsyncHandlersOf, Calls } from './calls.ts'
import { asResult } from './errors.ts'
import type { Objects, Tier } from './objects.ts'

/** Where the live worker answers a call of the app's worker: its bindings, and the tier of the caller. */
export interface LiveContext {
  objects: Objects
  tier: Tier
  env: unknown
}

/** Returns a function that answers a call by its handler; refusals are returned as values. */
export const rpcMethod =
  <Place, C extends Calls<C>>(handlersIn: (place: Place) => AsyncHandlersOf<C>) =>
  <Kind extends keyof C>(place: Place, kind: Kind, ask: C[Kind]['ask']): Promise<ResultOf<C, Kind>> =>
    asResult(() => handlersIn(place)[kind](ask))
