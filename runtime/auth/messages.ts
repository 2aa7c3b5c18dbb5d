import type { Mail } from '../email/store.ts'

/** The message with a code to sign in. */
export const signInCode = (to: string, code: string): Mail => ({
  to,
  subject: `Your code to sign in: ${code}`,
  text: `Your code to sign in is ${code}. It works once, for 10 minutes.\n\nYou did not ask for it? Then ignore this message.`,
})

/** The message with a code that proves an address. */
export const verifyCode = (to: string, code: string): Mail => ({
  to,
  subject: `Your code to confirm this address: ${code}`,
  text: `Your code to confirm this address is ${code}. It works once, for 10 minutes.\n\nYou did not ask for it? Then ignore this message.`,
})

/** The message with the link into a team. A team whose name looks like an address could lead its reader elsewhere. */
export const teamInvitation = (to: string, team: string, link: string): Mail => {
  const name = /[.:/@\\]/.test(team) ? 'a team' : `the team "${team}"`
  return {
    to,
    subject: `You are invited to ${name}`,
    text: `You are invited to ${name}. Join it here:\n\n${link}\n\nThe link works once. You do not know who invites you? Then ignore this message.`,
  }
}

/** The message with the link to choose a new password. */
export const resetLink = (to: string, link: string): Mail => ({
  to,
  subject: 'Choose a new password',
  text: `Choose a new password here:\n\n${link}\n\nThe link works once, for one hour. You did not ask for it? Then ignore this message; your password stays.`,
})
