export const queueText = {
  title: 'Build queue',
  building: 'Building 1',
  buildingAnd: (waiting: number) => `Building 1, ${waiting} waiting`,
  waiting: (count: number) => `${count} waiting`,
  show: 'Show the build queue',
  lead: 'Tickets are built one after another, in this order. A ticket that asks a question or fails leaves the queue.',
  empty: 'Nothing is waiting',
  emptyHint: 'Add a ticket while another is being built. It starts by itself.',
  now: 'Building now',
  next: 'Waiting',
  watch: (title: string) => `Watch the build of “${title}”`,
  open: (title: string) => `Open “${title}”`,
  remove: (title: string) => `Take “${title}” out of the queue`,
  removeFailed: 'Not taken out of the queue',
  add: 'Add to queue',
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
    queued: 'It is already in the queue.',
    building: 'It is being built now.',
    awaiting: 'Its last build is waiting for your answers.',
  },
  waitsFor: {
    model: 'Waiting for a model: connect one under Models.',
    attachments: 'The model cannot read what is attached.',
    allowance: 'Waiting: this hour’s builds are used up.',
    tokens: 'Waiting: this month’s tokens are used up. Their limit is under Models.',
    suspended: 'Waiting: the organization is suspended.',
    paused: 'Waiting: the operator has paused builds.',
    awaiting: 'Its last build is waiting for your answers.',
    dependencies: 'Waiting for other tickets.',
  },
  waitsForTickets: (tickets: string) => `Waits for ${tickets}.`,
  dependency: (title: string | null) => (title === null ? 'a ticket that is gone' : `“${title}”`),
  dependencyProblem: {
    missing: '',
    cancelled: ' (cancelled)',
    failed: ' (its last build failed)',
    awaiting: ' (it asks a question)',
    not_queued: ' (not in the queue)',
  },
  stuck: (count: number) => (count === 1 ? '1 waits for another ticket' : `${count} wait for other tickets`),
  anyway: 'Build anyway',
  stuckHint: 'It does not start by itself until they are in review or done.',
  busyTitle: 'Another ticket is being built',
  busyHint: (title: string) => `“${title}” is being built. Watch it, or queue yours: it starts by itself.`,
  busyAnswers: (title: string) =>
    `“${title}” is being built. Your answers are kept: send them again when it is done.`,
  place: (n: number, of: number) => `Number ${n} of ${of} in the queue`,
  placeHint: 'It starts by itself. You can close this page.',
  leave: 'Leave the queue',
}

export const modelText = {
  label: (model: string) => `Model: ${model}`,
  choose: 'Model of this project',
  inherited: (model: string) => `Organization default (${model})`,
  changed: (model: string) => `The next build uses ${model}`,
  required: 'Connect a model first',
  requiredHint: 'Nothing is built without one. Once it is connected, your request continues.',
}

export const steerText = {
  label: 'Correct this build',
  placeholder: 'Correct this build…',
  submit: 'Send to this build',
  when: 'The build reads this before its next step.',
  sent: 'You said',
  delivered: 'Read before the next step',
  nextBuild: 'Too late for this build: the next one reads it first',
  failed: 'Not sent. Your words are still in the box.',
}

export const questionText = {
  other: 'Something else',
  otherLabel: (question: string) => `Your own answer to “${question}”`,
  otherPlaceholder: 'In your own words',
  kept: 'Your answers are kept on this device until you send them.',
}

export const changedFilesText = {
  notNamed: (count: number) =>
    count === 1
      ? 'The ticket does not name 1 of these files. Look at it first.'
      : `The ticket does not name ${count} of these files. Look at them first.`,
  mark: 'not in the ticket',
  compare: 'Compare with other versions',
  whole: 'Open the whole file',
  same: 'This file is the same in the version before.',
}
