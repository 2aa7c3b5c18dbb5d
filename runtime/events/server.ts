import type { EventName } from '../types.gen.ts'
import { record } from './record.ts'
import type { EventDetails } from './types.ts'

/** Counts the events declared in `app.json` without recording who caused them. */
export interface ServerEvents {
  /**
   * Counts an event after the response is sent. `req` is the request of the person who caused it: each visitor counts once a day, and
   * people who ask not to be tracked are not counted. Without `req` the event has no visitor.
   */
  track(name: EventName, details?: EventDetails & { req?: Request }): void
}

export const events: ServerEvents = {
  track: (name, { req, ...details } = {}) => record([{ ...details, name }], req ?? null),
}
