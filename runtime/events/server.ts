import type { EventName } from '../types.gen.ts'
import { record } from './record.ts'
import type { EventDetails } from './types.ts'

/** The events of `app.json`, counted without knowing who did them. */
export interface ServerEvents {
  /**
   * Counts an event once the response is sent. `req` is the request of the person who did it: its visitor counts once a
   * day, and one who asked not to be measured is not counted. Without it the event has no visitor.
   */
  track(name: EventName, details?: EventDetails & { req?: Request }): void
}

export const events: ServerEvents = {
  track: (name, { req, ...details } = {}) => record([{ ...details, name }], req ?? null),
}
