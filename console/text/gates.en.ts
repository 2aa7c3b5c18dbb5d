/** All texts of the pages that an organization shows to a user whom it refuses. */
export const gatesText = {
  signedInAs: (email: string) => `Signed in as ${email}`,
  signOut: 'Sign out',
  switchTitle: 'Work in another organization',
  twoFactor: {
    title: 'Set up two-factor first',
    lead: 'Your organization requires a second factor. Setting it up takes a minute and an authenticator app on your phone.',
  },
  address: {
    title: 'Not from this address',
    refused: 'Refused address',
    lead: 'Your organization can be used from its listed addresses only, and this one is not on the list. Nothing is wrong with your account.',
    next: 'Connect to the network of your organization, or ask an owner or admin to add the address under Settings, Security.',
    again: 'Try again',
  },
  nowhere: {
    title: 'You are in no organization here',
    titleLeft: 'You are no longer in this organization',
    lead: 'Open the invitation you were sent, or create your own organization: it holds projects, models and connections.',
    leadLeft: 'You left it or were removed. Choose another one, or create your own.',
  },
}
