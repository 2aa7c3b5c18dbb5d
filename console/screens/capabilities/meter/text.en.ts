export const meterText = {
  tab: 'Usage',
  empty: 'The live app declares no meters',
  emptyHint:
    'Describe a limit in a ticket, like “each person may export ten times a day”, then build and ship.',
  per: { user: 'per person', team: 'per team', app: 'in all' },
  windows: { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month', lifetime: 'for ever' },
  limit: (limit: number, per: string, window: string) => `${limit.toLocaleString('en')} ${per} ${window}`,
  resets: 'new',
  change: 'Change',
  changeOf: (key: string) => `Change the limit of ${key}`,
  limitOf: (key: string) => `Limit of ${key}`,
  notNumber: 'Give a number, 0 or more.',
  save: 'Save',
  cancel: 'Cancel',
  spentOf: (spent: number, limit: number) =>
    `${spent.toLocaleString('en')} of ${limit.toLocaleString('en')} spent`,
  spentBy: (spent: number, people: number, per: 'user' | 'team') => {
    const [one, many] = per === 'user' ? ['person', 'people'] : ['team', 'teams']
    return `${spent.toLocaleString('en')} spent by ${people} ${people === 1 ? one : many}`
  },
}
