/** Every sentence about belonging to organizations, and about one organization itself. */
export const organizationsText = {
  switcher: (name: string) => `Organization: ${name}`,
  list: 'Your organizations',
  search: 'Search organizations',
  noMatch: (q: string) => `None of your organizations is called “${q}”.`,
  current: 'You are working in it',
  roles: { owner: 'Owner', admin: 'Admin', member: 'Member' } as Record<string, string>,
  switchFailed: 'Still in the same organization',
  create: 'Create organization',
  createTitle: 'Create an organization',
  createLead:
    'It has projects, members, models and connections of its own. You become its owner and work in it right away.',
  name: 'Name',
  nameHint: 'Shown to members and in invitations.',
  nameMissing: 'Enter a name.',
  namePlaceholder: 'Acme Gardens',
  failed: 'The organization was not created',
  elsewhere: 'It may be in another of your organizations. Switch, and this address is opened there.',
  settings: {
    title: 'Organization',
    lead: 'What this organization is called, and your own place in it.',
    slug: 'Short name',
    slugHint: 'Small letters, digits and dashes. No other organization here has the same.',
    slugWrong: 'Use small letters, digits and dashes, at most 48.',
    slugTaken: 'Another organization has this short name.',
    adminsOnly: 'Owners and admins can change these.',
    save: 'Save changes',
    saved: 'Saved.',
    unchanged: 'Nothing has changed.',
    failed: 'Not saved',
    leaveTitle: 'Leave this organization',
    leaveHint: (role: string) =>
      `You are ${/^[aeio]/i.test(role) ? 'an' : 'a'} ${role.toLowerCase()}. After you leave you lose access; its projects and builds continue.`,
    leave: 'Leave organization',
    leaveConfirm: (name: string) => `Leave ${name}?`,
    leaveConsequence:
      'You lose its projects, tickets and settings at once. What you made stays with the organization, but API keys you created are revoked. To come back you need a new invitation.',
    leaveSubmit: 'Leave organization',
    onlyOwner:
      'You are its only owner. Make another member an owner under Members first, then you can leave.',
  },
}
