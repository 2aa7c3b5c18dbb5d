/** The maximum number of events in one request of a page. */
export const EVENTS_AT_ONCE = 20

/** A longer group is dropped. The event still counts. */
export const GROUP_CHARS_MAX = 64
