import type { MailMessage } from '../mail-port.ts'
import { nameInMail, renderMail } from './message.ts'

export function verificationMail(to: { url: string }): MailMessage {
  return renderMail({
    subject: 'Verify your e-mail address',
    lines: ['A person signed up to Slipway with this address.', 'If that was you, verify it within an hour.'],
    action: { label: 'Verify address', url: to.url },
    footer: 'If it was not you, ignore this mail: your address cannot be used without the link.',
  })
}

export function resetMail(to: { url: string }): MailMessage {
  return renderMail({
    subject: 'Choose a new password',
    lines: [
      'A new password was requested for your Slipway account.',
      'The link works once, within an hour. It signs out every browser and asks you to sign in again.',
    ],
    action: { label: 'Choose a new password', url: to.url },
    footer: 'If it was not you, ignore this mail: your password stays as it is.',
  })
}

interface InvitationFields {
  organization: string
  inviter: string
  role: string
  url: string
}

/** The invited person may have no account yet, so the mail explains what Slipway is. */
export function invitationMail({ organization, inviter, role, url }: InvitationFields): MailMessage {
  const place = nameInMail(organization)
  return renderMail({
    subject: `Join ${place} on Slipway`,
    lines: [
      `${nameInMail(inviter)} invites you to ${place} as ${role}.`,
      'Slipway turns tickets into running software. The invitation is good for seven days.',
    ],
    action: { label: 'See the invitation', url },
    footer: 'If you do not know who this is, ignore this mail.',
  })
}

/** Tells the owner of an account that its second factor changed, because another person may have done it. */
export function twoFactorMail({ isOn, url }: { isOn: boolean; url: string }): MailMessage {
  return renderMail({
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

/** Lists the resources that stay in cloud accounts, because the service can no longer show them. */
export function accountDeletedMail({ left, url }: { left: readonly string[]; url: string }): MailMessage {
  return renderMail({
    subject: 'Your Slipway account is deleted',
    lines: [
      'Your account and everything that only you had access to are deleted.',
      'Repositories at your code host stay as they are.',
      ...(left.length === 0
        ? []
        : [
            'These resources could not be removed and stay in your cloud account. Remove them there:',
            ...left.map(nameInMail),
          ]),
    ],
    action: { label: 'Slipway', url },
    footer: 'If it was not you, reply to the operator of this service. What is deleted cannot be restored.',
  })
}

/** The mail only links to the reply, because other people may read the mail. */
export function helpReplyMail({ subject, url }: { subject: string; url: string }): MailMessage {
  return renderMail({
    subject: `Answered: ${nameInMail(subject)}`,
    lines: [`The operator of this Slipway answered your question “${nameInMail(subject)}”.`],
    action: { label: 'Read the answer', url },
    footer: 'Reply there, not to this mail.',
  })
}
