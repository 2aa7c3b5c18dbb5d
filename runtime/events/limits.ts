/** How many events a page sends in one request. */
export const EVENTS_AT_ONCE = 20
