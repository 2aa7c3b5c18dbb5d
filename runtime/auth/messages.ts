import type { InboxMail } from '../email/store.ts'

const codeMail =
  (purpose: string) =>
  (to: string, code: string): InboxMail => ({
    to,
    subject: `Your code to ${purpose}: ${code}`,
    text: `Your code to ${purpose} is ${code}. It works once, for 10 minutes.\n\nIf you did not ask for it, ignore this message.`,
  })

export const signInCode = codeMail('sign in')
export const signUpCode = codeMail('create an account')
export const verifyCode = codeMail('confirm this address')

/**
 * Sent when someone signs up with an address that already has an account. The page must not reveal this, so
 * only the owner of the address is informed.
 */
export const accountExistsMail = (to: string): InboxMail => ({
  to,
  subject: 'You already have an account',
  text: 'This address already has an account, so no account was created. Sign in, or choose a new password.\n\nIf you did not ask for it, ignore this message.',
})

/** A team name that looks like a web address is left out, because mail programs would turn it into a link to another site. */
export const teamInvitation = (to: string, team: string, link: string): InboxMail => {
  const name = /[.:/@\\]/.test(team) ? 'a team' : `the team "${team}"`
  return {
    to,
    subject: `You are invited to ${name}`,
    text: `You are invited to ${name}. Join it here:\n\n${link}\n\nThe link works once. If you do not know who invites you, ignore this message.`,
  }
}

export const resetLink = (to: string, link: string): InboxMail => ({
  to,
  subject: 'Choose a new password',
  text: `Choose a new password here:\n\n${link}\n\nThe link works once, for one hour. If you did not ask for it, ignore this message; your password stays.`,
})
