import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

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
  manifest: {
    mailboxes: z
      .array(z.strictObject({ collection: z.string(), handler: DeclaredName.optional() }))
      .optional(),
  },
})
