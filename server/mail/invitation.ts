import { type Letter, nameInMail, writeLetter } from './letter.ts'

interface Invitation {
  organization: string
  inviter: string
  role: string
  url: string
}

/** The mail that invites a person, who may have no account yet, to an organization. */
export function invitationLetter({ organization, inviter, role, url }: Invitation): Letter {
  const place = nameInMail(organization)
  return writeLetter({
    subject: `Join ${place} on Slipway`,
    lines: [
      `${nameInMail(inviter)} invites you to ${place} as ${role}.`,
      'Slipway turns tickets into running software. The invitation is good for seven days.',
    ],
    action: { label: 'See the invitation', url },
    footer: 'If you do not know who this is, ignore this mail.',
  })
}
