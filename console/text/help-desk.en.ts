/** The strings of the help desk, where the operator answers the questions of all organizations. */
export const helpDeskText = {
  title: 'Help desk',
  lead: 'The questions of all organizations on this Slipway.',
  link: (open: number) => (open === 1 ? 'Help desk: 1 question waits' : `Help desk: ${open} questions wait`),
  state: 'Conversations to show',
  states: { open: 'Waiting', answered: 'Answered', closed: 'Closed' },
  none: {
    open: 'No question waits for an answer',
    answered: 'No answered questions',
    closed: 'No closed questions',
  },
  noneHint: 'New questions appear here by themselves.',
  notYours: 'Your organization answers no questions here',
  notYoursHint: 'The operator of this Slipway chooses the organization that does.',
  from: (organization: string, plan: string) => `${organization}, plan ${plan}`,
  said: 'What their console says (anyone can write this)',
  answer: 'Your answer',
  mailed: 'The person who wrote last gets a mail.',
  close: 'Close',
  notClosed: 'Not closed',
}
