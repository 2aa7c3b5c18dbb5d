import type { AnswerTo, AsyncHandlersOf, Calls } from './calls.ts'
import { refusalAsValue } from './errors.ts'
import type { Objects, Tier } from './objects.ts'

export interface LivePlace {
  objects: Objects
  tier: Tier
  env: unknown
}

/** Returns a function that handles a call and returns an `ApiError` as a value. */
export const answering =
  <Place, C extends Calls<C>>(handlersIn: (place: Place) => AsyncHandlersOf<C>) =>
  <Kind extends keyof C>(place: Place, kind: Kind, ask: C[Kind]['ask']): Promise<AnswerTo<C, Kind>> =>
    refusalAsValue(() => handlersIn(place)[kind](ask))
