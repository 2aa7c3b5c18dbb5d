import type { EventName } from '../types.gen.ts'
import { addEvent } from './send-events.ts'
import type { EventDetails } from './types.ts'

export type { EventDetails } from './types.ts'

/** Counts events of this page. They are sent in batches, and at the latest when the person leaves the page. */
export interface BrowserEvents {
  track(name: EventName, details?: EventDetails): void
}

export const events: BrowserEvents = { track: addEvent }
