export const usersText = {
  tab: 'People',
  empty: 'No accounts yet',
  emptyHint: 'People create one on the sign-in page of your app.',
  search: 'Search by name or address',
  shown: (count: number, hasMore: boolean) =>
    hasMore ? `The newest ${count}` : `${count} ${count === 1 ? 'person' : 'people'}`,
  noMatch: (q: string) => `No person matches “${q}”`,
  noMatchHint: 'The account may have been erased.',
  joined: 'joined',
  verified: 'confirmed address',
  unverified: 'address not confirmed',
  methods: { password: 'password', passkey: 'passkey', emailCode: 'code by email' },
  outbox: 'Messages that were not sent',
  outboxHint:
    'Your app cannot send mail yet. Codes and links to its people are kept here for a week; each lets its reader in, and reading them is noted in the activity.',
  showOutbox: 'Show messages',
  outboxEmpty: 'There is no message.',
  sessions: (count: number) =>
    count === 0 ? 'signed out' : count === 1 ? 'signed in on 1 device' : `signed in on ${count} devices`,
  broken: (services: string[]) => `Has to link again: ${services.join(', ')}`,
  roles: { member: 'Member', staff: 'Staff' },
  roleOf: (name: string) => `Role of ${name}`,
  erase: 'Erase',
  eraseOf: (name: string) => `Erase ${name}`,
  erasing: 'Being erased',
  continueErasing: 'Continue erasing',
  continueErasingOf: (name: string) => `Continue erasing ${name}`,
  eraseTitle: (name: string) => `Erase ${name}?`,
  eraseConsequence:
    'The account, its own records and its files are deleted for good. Records that everyone shares stay, without the name.',
  erased: (name: string, records: number, files: number, shared: number) =>
    `${name} was erased: ${records} records and ${files} files removed, ${shared} shared records kept.`,
}
