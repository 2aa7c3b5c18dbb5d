/** The strings of the sign-in page. The strings of the pages to which it links are in `sign-in-steps.en.ts`. */
export const signInText = {
  email: 'E-mail',
  password: 'Password',
  emailMissing: 'Enter an e-mail address, like ada@example.com.',
  backToSignIn: 'Back to sign-in',
  retryIn: (wait: string) => `Try again in ${wait}`,
  throttled: 'Too many attempts. Wait until the time has passed.',
  signIn: {
    title: 'Sign in',
    lead: 'Welcome back.',
    submit: 'Sign in',
    sso: 'Sign in with your organization',
    refused: (code: string) =>
      `The sign-in with your organization was refused (${code.slice(0, 60)}). Try again, or ask an admin.`,
    forgot: 'Forgot your password?',
    other: 'New here?',
    otherAction: 'Create an account',
    wrong: 'E-mail and password do not match.',
    passwordMissing: 'Enter your password.',
    unverified: 'This address is not verified yet. Open the link in the mail we sent you.',
  },
  passkey: 'Use a passkey',
  pitch: {
    headline: 'From a sentence to a live app.',
    steps: [
      ['Say it', 'Describe what you want in one sentence. It becomes a ticket.'],
      ['Watch it being built', 'Every file, check and token in sight. Stop at any moment.'],
      ['Ship it', 'To your own cloud account, with its own database and address.'],
    ],
    sample: 'Track the plants in my office: name, room, last watered date',
    sampleChecks: ['types', 'lint', 'boot', 'tests'],
    live: 'Live',
  },
}
