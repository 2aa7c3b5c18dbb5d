export const deletionText = {
  title: 'Delete your account',
  section: 'Delete account',
  sectionLead: 'With everything that only you have access to.',
  open: 'See what would be deleted',
  lead: 'It cannot be undone. Nothing is deleted before you confirm below.',
  goes: 'What happens to your organizations',
  none: 'You are in no organization. Only your account is deleted.',
  dispositions: {
    delete: {
      label: 'Will be deleted',
      hint: (projects: number) =>
        projects === 0
          ? 'You are its only member. It has no projects.'
          : `You are its only member. ${projects === 1 ? 'Its project goes' : `Its ${projects} projects go`} too: apps, their data and files, tickets, code and the activity log.`,
    },
    leave: {
      label: 'Stays',
      hint: () =>
        'You leave it. Projects and tickets stay, and its activity log keeps your address. API keys you made there are revoked.',
    },
    blocked: {
      label: 'In the way',
      hint: () =>
        'You own it, and others are in it. Make another member its owner and leave it, or remove the others.',
    },
  },
  members: 'See its members',
  noCloud:
    'No cloud account is connected, so its apps cannot be removed. Connect it first, or leave them there.',
  next: 'Removed first from your cloud account',
  nothingThere: 'nothing there',
  stays: 'What stays in any case',
  staysList: [
    'Repositories at your code host, and your cloud account itself.',
    'One mail to your address that says that the deletion is finished.',
  ],
  export: 'Do you want a copy first? Export each organization in its settings.',
  exportLink: 'Export',
  confirm: 'Type your e-mail address to confirm',
  submit: 'Delete my account',
  resume: 'Continue',
  begun: 'A deletion has begun. What was deleted cannot be restored; the rest waits until you continue.',
  blockedReason: 'An organization is in the way.',
  unnamed: 'Type your e-mail address first.',
  running: (projects: number, resources: number) =>
    `${projects === 0 ? 'Erasing records' : projects === 1 ? 'One project left' : `${projects} projects left`}, ${resources === 1 ? 'one resource' : `${resources} resources`} removed`,
  stop: 'Stop after this step',
  stopping: 'Stops after this step …',
  failed: 'The deletion stopped',
  stuck: (count: number) =>
    count === 1 ? 'One resource could not be removed' : `${count} resources could not be removed`,
  stuckHint:
    'Nothing is erased until your projects are clear. Try again, or leave these where they are: they stay in your cloud account and may cost something there, and you remove them by hand.',
  again: 'Try again',
  leave: 'Leave them and finish',
  done: 'Your account is deleted',
  doneHint: 'These stay in your cloud account. Remove them there. The mail you get names them too.',
  finish: 'Close',
}
