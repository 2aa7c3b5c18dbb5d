import { capabilitySettingsText } from './capability-settings.en.ts'

export const capabilitiesText = {
  title: 'Capabilities',
  lead: 'What your app can do beyond its own code. Each runs in your cloud account.',
  cost: 'Cost',
  prices: {
    title: 'What this costs',
    note: 'On a paid Workers plan ($5 a month), as of November 2026. What is included counts for the whole account, each month.',
    what: 'What',
    included: 'Included',
    more: 'More',
  },
  states: { on: 'On', off: 'Off', creating: 'Setting up', error: 'Needs attention' },
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnOnTitle: (title: string) => `Turn on ${title}?`,
  turnOffTitle: (title: string) => `Turn off ${title}?`,
  alsoOn: (titles: string) => `This also turns on ${titles}.`,
  alsoOff: (titles: string) => `This also turns off ${titles}, which cannot work without it.`,
  turnedOff: (title: string, others: string) => `${title} turned off, and with it ${others}`,
  onConsequence: (cost: string) =>
    `It is created in your cloud account and is live after the next ship. Cost: ${cost}.`,
  offConsequence: 'The live app stops using it after the next ship. What it stored is kept.',
  failed: 'Nothing was changed',
  creating: (kind: string) => `Waiting for the cloud account to make the ${kind}`,
  creatingAny: 'Waiting for the cloud account',
  errorTitle: 'It could not be set up',
  retry: 'Set it up again',
  resource: 'In your account',
  shipHint: 'Changes are live after the next ship.',
  settingsTab: 'Settings',
  spend: {
    pages: {
      used: (used: number, monthly: number) =>
        `${used.toLocaleString('en')} of ${monthly.toLocaleString('en')} pages rendered`,
      hint: 'Each PDF, picture or text of a page that the live app or its preview makes, or that is made here, counts once.',
    },
    minutes: {
      used: (used: number, monthly: number) =>
        `${used.toLocaleString('en')} of ${monthly.toLocaleString('en')} minutes of video taken`,
      hint: 'An upload reserves its longest length; a video that is ready counts its real minutes.',
    },
    left: (left: number, month: string) =>
      `${left === 0 ? 'Nothing is left: the app is refused' : `${left.toLocaleString('en')} left ·`} until the end of ${month} (UTC)`,
    raise: 'Raise the limit in the settings',
  },
  settings: capabilitySettingsText,
  emptyActions: { ticket: 'Write a ticket', app: 'Open the app' },
  addressLater: 'The app has its address once it was shipped.',
  notLive: {
    title: 'Ship once to see it',
    hint: 'This is data of the live app. It is here once the project was shipped with this capability turned on.',
    action: 'Open the Ship page',
  },
}
