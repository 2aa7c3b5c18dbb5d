export const teamText = {
  tab: 'Teams',
  empty: 'No team yet',
  emptyHint: 'People create teams on the page /teams of your app.',
  shown: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'team' : 'teams'}`,
  most: (count: number) => `The newest ${count.toLocaleString('en')}`,
  members: (count: number) => `${count} ${count === 1 ? 'member' : 'members'}`,
  invites: (count: number) => `${count} open ${count === 1 ? 'invitation' : 'invitations'}`,
  made: 'created',
  by: 'Its creator',
  erased: 'its creator was erased',
}
