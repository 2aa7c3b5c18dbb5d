import { type Letter, writeLetter } from './letter.ts'

/** The mail that tells the owner of an account that its second factor was switched on or off. */
export function twoFactorLetter({ isOn, url }: { isOn: boolean; url: string }): Letter {
  return writeLetter({
    subject: `Two-factor authentication is ${isOn ? 'on' : 'off'}`,
    lines: [
      isOn
        ? 'From now on signing in to your Slipway account asks for a code of your authenticator.'
        : 'From now on your password alone opens your Slipway account.',
    ],
    action: { label: 'See your account', url },
    footer: 'If it was not you, choose a new password now and sign the other browsers out.',
  })
}
