export const securityText = {
  title: 'Security',
  lead: 'Rules for every member of the organization.',
  managers: 'Owners and admins can change these settings.',
  twoFactor: {
    label: 'Require two-factor authentication',
    hint: 'Until they have set it up, members see only the page that does it.',
  },
  sso: {
    label: 'Require single sign-on',
    hint: 'Members sign in through your identity provider, not with a password.',
    notInPlan: 'Not available on this plan: single sign-on is part of Enterprise.',
    notReady: 'Needs an identity provider whose domain is verified. It is set up above.',
  },
  lifetime: {
    label: 'Sessions end',
    hint: 'Counted from the sign-in, active or not.',
    options: {
      none: 'After 30 days (no rule)',
      '30': 'After 30 days',
      '7': 'After 7 days',
      '1': 'After a day',
    },
  },
  addresses: {
    label: 'Allowed addresses',
    hint: 'One address or range on each line, like 192.0.2.7 or 2001:db8::/32. At most 32. They apply to API keys too.',
    anywhere: 'Empty: from anywhere.',
    yours: (address: string) => `Your address is ${address}.`,
    add: 'Add it',
    added: 'It is on the list.',
  },
  anyPackages: {
    label: 'Builds may add any npm package',
    hint: 'Otherwise only the packages on our list. None runs a script during installation, and each version is at least 7 days old.',
  },
  consequences: {
    signedOut:
      'Every member is signed out, you too, and signs in again under the new rules. API keys keep working.',
    enrolNext: 'You have no second factor yet: setting it up is the first thing you will be asked for.',
    addresses: 'People and API keys that call from elsewhere are refused from their next request on.',
  },
  confirmTitle: 'Tighten security?',
  submit: 'Save settings',
  confirmSubmit: { signsOut: 'Save and sign everyone out', other: 'Save settings' },
  saved: 'Security settings saved.',
  unchanged: 'Nothing has changed yet.',
  failed: 'The settings were not saved',
}
