export const ssoEntryText = {
  lead: 'Enter your work address. You continue on the sign-in page of your organization.',
  submit: 'Continue',
  back: 'Use a password instead',
}
