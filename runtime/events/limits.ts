/** The maximum number of events in one request of a page. */
export const EVENTS_AT_ONCE = 20
