import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'
import { DeclaredName } from '../../capability-declaration/manifest-fields.ts'

const Mailbox = z.strictObject({ collection: z.string(), handler: DeclaredName.optional() })

export const EmailSettings = z.object({
  replyTo: z.email().nullable().default(null).meta({
    title: 'Replies go to',
    description: 'The address that every mail names for replies.',
  }),
  notifyTo: z.email().nullable().default(null).meta({
    title: 'Notices go to',
    description: 'Gets a notice of new mail in a mailbox that asks for it. Empty: the address for replies.',
  }),
  maxPerHour: z
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .meta({
      title: 'Mails an hour at most',
      examples: [100],
      description: 'Over all recipients.',
    }),
  perRecipientPerDay: z.int().min(1).max(100).default(20).meta({
    title: 'Mails a recipient a day at most',
    description: 'Further mails are refused.',
  }),
})

export const email = capability({
  key: 'email',
  title: 'Email',
  about: 'The app sends mail from your domain and receives it.',
  cost: 'By use. Each mail that is sent; the mails an hour are limited',
  erasure: {
    notNeeded: 'The mails to a person are removed with the account (`auth`). Received mails are records.',
  },
  scopes: [
    'zone.write',
    'dns.write',
    'email-sending.write',
    'email-routing-rule.write',
    'email-routing-address.write',
  ],
  settings: EmailSettings,
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  // The service itself adds the binding `MAIL` once the app has a verified sender address (`live.ts`).
  liveBindingsByHand: [{ type: 'send_email', name: 'MAIL' }],
  callsApp: () => true,
  byHand:
    'Mail is sent through the binding `MAIL` (type `send_email`) of the live worker, from the address in `EMAIL_FROM`; ' +
    'without them it waits in the outbox. Mail to the app needs rules of Email Routing that lead to the live worker.',
  manifest: { mailboxes: z.array(Mailbox).max(50).optional() },
})
