/** All texts about ingest sources. */
export const ingestText = {
  title: 'Ingest',
  lead: 'Turn feedback from forms, support or scripts into tickets.',
  create: 'Add source',
  empty: 'No ingest sources yet',
  emptyHint:
    'A source is an address with its own secret. Each signed message posted to it becomes a ticket of one project.',
  of: (used: number) => `${used} of 100 sources`,
  created: 'added',
  copyAddress: (project: string) => `Copy the address for ${project}`,
  remove: 'Remove',
  removeOf: (project: string) => `Remove the source of ${project}`,
  removeTitle: (project: string) => `Remove this source of ${project}?`,
  removeConsequence:
    'Its address then returns 404. Ideas it has accepted still become tickets. A new source has a new address and secret.',
  removeSubmit: 'Remove source',
  form: {
    title: 'Add an ingest source',
    project: 'Tickets go to',
    projectMissing: 'Choose the project that gets the tickets.',
    trust: 'With the secret, a sender can create tickets in this project, and nothing else.',
    submit: 'Add source',
    failed: 'The source was not added',
  },
  once: {
    title: 'Copy the secret now',
    hint: 'The address can be copied again later, the secret cannot.',
    address: 'Address',
    secret: 'Secret',
    env: 'As environment variables',
    saved: 'I have saved it',
  },
  test: {
    title: 'Post a test idea',
    hint: 'Signed in this browser with the secret above, and kept as a ticket.',
    label: 'Idea',
    sample: 'Dark mode, because my eyes hurt at night',
    submit: 'Post idea',
    done: 'Accepted.',
    open: 'See it in the project',
    failed: 'The idea was not accepted',
    insecure: 'Browsers sign on https pages and on localhost only. Use the code below.',
  },
  code: {
    title: 'Send ideas',
    hint: 'Ready to run with the two variables; sign the bytes you send.',
    language: 'Language',
  },
  fields: {
    title: 'What an idea may hold',
    hint: 'A JSON object of at most 256 KiB. Everything else in it is ignored.',
    list: [
      ['title', 'The title of the ticket. Without it, the first 60 characters of the text.'],
      ['text', 'The body of the ticket.'],
      ['id', 'Your own id for the idea: the same id again is the same idea. Send one when you retry.'],
      ['url', 'Linked from the ticket.'],
    ],
    answers:
      'Answers are a status only: 202 stored · 204 neither title nor text · 401 signature wrong or older than 300 seconds · 404 removed · 413 too large · 429 more than 120 a minute.',
  },
}
