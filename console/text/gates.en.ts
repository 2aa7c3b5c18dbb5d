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
    message: 'Message of the service',
    lead: 'Your organization can be used from its listed addresses only, and this one is not on the list. Nothing is wrong with your account.',
    next: 'Connect to the network of your organization, or ask an owner or admin to add the address under Settings, Security.',
    again: 'Try again',
  },
  nowhere: {
    title: 'You are in no organization here',
    titleLeft: 'You are no longer in this organization',
    lead: 'Projects, models and connections belong to an organization. Join one that invited you, or create your own.',
    invited: 'You are invited',
    open: (name: string) => `Open the invitation to ${name}`,
    noInvitation:
      'To join one, open the link of an invitation, or ask an owner or admin for one to the address you are signed in with.',
    create: 'Create an organization',
    back: 'Keep the account',
    leadLeft: 'You left it or were removed. Choose another one, or create your own.',
  },
}
