/** The maximum number of events in one request of a page. */
export const EVENTS_AT_ONCE = 20

/** The maximum length of the group of an event. A longer group is dropped, and the event counts without it. */
export const GROUP_CHARS_MAX = 64
