import { type Letter, writeLetter } from './letter.ts'

/** The mail with the link to set a new password. */
export function resetLetter(to: { url: string }): Letter {
  return writeLetter({
    subject: 'Choose a new password',
    lines: [
      'Somebody asked for a new password for your Slipway account.',
      'The link works once, within an hour. It signs out every browser and asks you to sign in again.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    footer: 'If it was not you, ignore this mail: your password stays as it is.',
  })
}
