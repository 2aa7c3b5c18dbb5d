/** The sentences of the line of tickets that wait to be built. */
export const queueText = {
  title: 'Build queue',
  building: 'Building 1',
  buildingAnd: (waiting: number) => `Building 1, ${waiting} waiting`,
  waiting: (count: number) => `${count} waiting`,
  show: 'Show the build queue',
  lead: 'Tickets are built one after another, in this order. A ticket that asks something or fails leaves the line.',
  empty: 'Nothing waits',
  emptyHint: 'Add a ticket while another is being built, and it starts by itself.',
  now: 'Building now',
  next: 'Waiting',
  watch: (title: string) => `Watch the build of “${title}”`,
  open: (title: string) => `Open “${title}”`,
  remove: (title: string) => `Take “${title}” out of the queue`,
  removeFailed: 'Not taken out of the queue',
  add: 'Add to queue',
  adding: 'Adding',
  addFailed: 'Not added to the queue',
  queued: (count: number) =>
    count === 0
      ? 'No ticket was added'
      : count === 1
        ? 'Added to the queue'
        : `${count} tickets added to the queue`,
  skipped: {
    unknown: 'It does not exist any more.',
    structure: 'An epic groups tickets and is never built itself.',
    queued: 'It waits already.',
    building: 'It is being built right now.',
  },
  busyTitle: 'Another ticket is being built',
  busyHint: (title: string) => `“${title}” has the builder. Watch it, or queue yours: it starts by itself.`,
  busyUnknown: 'Queue yours: it starts by itself as soon as the builder is free.',
  place: (n: number, of: number) => `Number ${n} of ${of} in the queue`,
  placeHint: 'It starts by itself. Nothing has to stay open.',
  leave: 'Leave the queue',
}
