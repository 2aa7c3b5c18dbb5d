export const invitationText = {
  title: 'Invitation',
  pending: (organization: string) => `Join ${organization}`,
  lead: (inviter: string, role: string) => `${inviter} invites you ${role}.`,
  roles: {
    owner: 'as an owner: you may do everything in it',
    admin: 'as an admin: you may change its settings, people and connections',
    member: 'as a member: you plan, build and ship with the others',
  },
  otherRole: (role: string) => `as ${role}`,
  accept: (organization: string) => `Join ${organization}`,
  decline: 'Decline',
  declined: { title: 'Invitation declined', lead: 'Nothing else has changed. You can close this page.' },
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  otherAccount: 'Use another account',
  signIn: 'Sign in to join',
  signUp: 'Create an account',
  afterwards: 'Use the address the invitation was sent to. You come back here afterwards.',
  failed: 'You have not joined',
  states: {
    accepted: {
      title: 'This invitation was used',
      lead: 'It has been accepted. If that was you, sign in.',
    },
    rejected: {
      title: 'This invitation was declined',
      lead: 'To join after all, ask the person who invited you for a new one.',
    },
    cancelled: {
      title: 'This invitation was withdrawn',
      lead: 'To join after all, ask the person who invited you for a new one.',
    },
    expired: {
      title: 'This invitation has expired',
      lead: 'Invitations are good for seven days. Ask the person who invited you for a new one.',
    },
  },
  unknown: {
    title: 'This invitation is unknown',
    lead: 'The link is incomplete, or the organization is gone. Ask for it again.',
  },
  // These strings name neither the invited address nor the account's address, because a link may have reached the wrong person.
  forAnother: {
    title: 'This invitation is for another account',
    lead: 'It was sent to a different e-mail address than the one you are signed in with. Sign in with that one.',
  },
  unverified: {
    title: 'Verify your address first',
    lead: 'An invitation is accepted with a verified address. Open the link in the mail we sent you, then come back to this page.',
  },
  toProjects: 'Go to your projects',
}
