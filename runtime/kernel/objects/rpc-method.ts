import type { ResultOf, AsyncHandlersOf, Calls } from './calls.ts'
import { asResult } from '../errors.ts'
import type { Objects, Tier } from './objects.ts'

export interface LiveContext {
  objects: Objects
  tier: Tier
  env: unknown
}

/** Returns an RPC method that passes a call to the handler of its kind, and returns an `ApiError` as a value. */
export const rpcMethod =
  <Context, C extends Calls<C>>(handlersIn: (context: Context) => AsyncHandlersOf<C>) =>
  <Kind extends keyof C>(context: Context, kind: Kind, ask: C[Kind]['ask']): Promise<ResultOf<C, Kind>> =>
    asResult(() => handlersIn(context)[kind](ask))
