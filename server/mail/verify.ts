import { type Letter, writeLetter } from './letter.ts'

/** The mail with the link to verify an address. */
export function verifyLetter(to: { url: string }): Letter {
  return writeLetter({
    subject: 'Verify your e-mail address',
    lines: ['Somebody signed up to Slipway with this address.', 'If that was you, verify it within an hour.'],
    action: { label: 'Verify address', url: to.url },
    footer: 'If it was not you, ignore this mail: without the link nobody can use your address.',
  })
}
