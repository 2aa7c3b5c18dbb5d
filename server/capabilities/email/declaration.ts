import * as z from 'zod'
import { capability, liveBinding, sharedObject } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

const MailboxDeclaration = z.strictObject({ collection: z.string(), handler: DeclaredName.optional() })

export type DeclaredMailbox = z.output<typeof MailboxDeclaration>

/** Mail from the app, and mail to it as records. */
export const email = capability({
  key: 'email',
  title: 'Email',
  about: 'The app sends mail from your domain and receives it.',
  cost: 'Email Sending of the account, Durable Object requests',
  settings: z.object({
    replyTo: z.email().nullable().default(null).meta({
      title: 'Answers go to',
      description: 'Named in every mail as the address to answer to.',
    }),
    notifyTo: z.email().nullable().default(null).meta({
      title: 'Notices go to',
      description: 'Told of new mail in a mailbox that asks for it. Empty: the address for answers.',
    }),
    maxPerHour: z.int().min(1).max(10_000).default(200).meta({
      title: 'Mails an hour at most',
      description: 'Over all recipients.',
    }),
    perRecipientPerDay: z.int().min(1).max(100).default(20).meta({
      title: 'Mails a recipient a day at most',
      description: 'What is above is refused.',
    }),
  }),
  resources: (project) => [sharedObject(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  // Mail comes to the production tier only; its handler runs there.
  callsApp: (_settings, tier) => tier === 'production',
  variables: ({ replyTo, notifyTo, maxPerHour, perRecipientPerDay }) => ({
    ...(replyTo !== null && { EMAIL_REPLY_TO: replyTo }),
    ...(notifyTo !== null && { EMAIL_NOTIFY_TO: notifyTo }),
    EMAIL_MAX_PER_HOUR: String(maxPerHour),
    EMAIL_PER_RECIPIENT_PER_DAY: String(perRecipientPerDay),
  }),
  byHand:
    'Mail waits until the worker with `-live` has a variable `EMAIL_FROM`, an address of a domain that is verified for ' +
    'Email Sending. To receive mail route an address to that worker, and name it in its variable `EMAIL_MAILBOXES` = ' +
    '`[{"localPart":"help","address":"help@example.com","collection":"mails","notify":false}]`.',
  manifest: {
    mailboxes: z.array(MailboxDeclaration).max(20).optional(),
  },
})
