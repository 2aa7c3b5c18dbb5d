export const eventsText = {
  tab: 'Figures',
  title: 'The last 30 days',
  visitorsHint:
    'A person counts as one visitor a day. Bots and people who ask not to be tracked are left out.',
  daily: 'By day',
  dayKeys: ['Views', 'Other events'] as const,
  dayChart: (most: number, day: string) =>
    `Page views and events of each day, at most ${most.toLocaleString('en')}, on ${day}`,
  dayTotal: (day: string, views: number, events: number) =>
    `${day}: ${views.toLocaleString('en')} page views, ${events.toLocaleString('en')} events`,
  pages: 'Page views',
  page: 'Page',
  events: 'Events',
  event: 'Event',
  count: 'Count',
  visitors: 'Visitors',
  sum: 'Sum',
  last: 'Last',
  noViews: 'No page was viewed yet, or page views are not counted.',
  noEvents: 'The live app has counted no event of its own yet.',
  more: (count: number) => `Show ${count.toLocaleString('en')} more`,
  empty: 'Nothing was counted yet',
  emptyHint: 'Open the app: page views appear here a few seconds later.',
  unavailable: 'The figures cannot be read right now',
  unavailableHint:
    'The cloud account does not respond, or the connection lacks the permission Account Analytics: Read.',
  goConnect: 'See connections',
  retry: 'Try again',
}
