import type { EventName } from '../types.gen.ts'
import { recordEvents } from './record.ts'
import type { EventDetails } from './types.ts'

export type { EventDetails } from './types.ts'

/** Counts the events declared in `app.json` without recording who caused them. */
export interface ServerEvents {
  /**
   * Counts an event after the response is sent. `req` is the request of the person who caused it: all their
   * events of a day have one pseudonym, and nothing is counted for people who ask not to be tracked. Without
   * `req` the event has no visitor.
   */
  track(name: EventName, details?: EventDetails & { req?: Request }): void
}

export const events: ServerEvents = {
  track: (name, { req, ...details } = {}) => recordEvents([{ ...details, name }], req ?? null),
}
