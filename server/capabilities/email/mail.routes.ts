import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { limitParam } from '../../http/query.ts'
import { operatorEndpoint } from '../operator/operator-endpoint.ts'
import { ListedMail, readMails } from './mails.ts'
import { onboardMail, replaceMail, verifyMail } from './onboard.ts'
import { openMailCloud, readMailStatus, requireMail } from './status.ts'

/** The part of an address before the @ (RFC 5321, 4.5.3.1.1), limited to the characters that all mail programs accept. */
const LocalPart = z
  .string()
  .max(64)
  .transform((text) => text.toLowerCase())
  .refine(
    (text) => /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(text),
    'must be letters, digits, dashes and single dots',
  )

const DnsRecord = z.object({
  type: z.string(),
  name: z.string(),
  value: z.string(),
  priority: z.number().optional(),
  present: z.boolean(),
})

const ShownMailbox = z.object({
  localPart: z.string(),
  address: z.string(),
  collection: z.string(),
  notify: z.boolean(),
})
const Routing = z.enum(['none', 'ready', 'misconfigured'])

const EmailStatus = z
  .object({
    zones: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
    sending: z.object({
      zoneId: z.string().nullable(),
      domain: z.string().nullable(),
      state: z.enum(['none', 'pending', 'verified']),
      localPart: z.string().nullable(),
      /** The sender of the app's mail. While it is null, mail waits in the outbox of the app. */
      from: z.string().nullable(),
      dns: z.array(DnsRecord),
    }),
    mailboxes: z.array(ShownMailbox),
    routing: Routing,
    /** The collections that may receive mail: those under `mailboxes` in the newest `app.json`. */
    collections: z.array(z.string()),
  })
  .meta({ id: 'EmailStatus' })

const Mailboxes = z
  .array(z.object({ localPart: LocalPart, collection: z.string().min(1).max(60), notify: z.boolean() }))
  .max(50)
  .refine(
    (all) => new Set(all.map(({ localPart }) => localPart)).size === all.length,
    'names an address twice',
  )

const LIMIT_DEFAULT = 100

export const mailRoutes = group('Email and domain', {
  getEmailStatus: endpoint({
    route: 'GET /projects/:projectId/email/status',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the state of sending and receiving mail',
    description:
      'The domains of the account, the one that mail is sent from with its DNS records, and the mailboxes. `routing` is `misconfigured` while mail to a mailbox does not arrive.',
    returns: EmailStatus,
    fails: ['not_enabled', 'conflict', 'upstream_error'],
    handle: async ({ ctx, params }) => {
      const project = await requireMail(ctx, params.projectId)
      return readMailStatus(ctx, project, await openMailCloud(ctx, project))
    },
  }),
  onboardEmail: endpoint({
    route: 'POST /projects/:projectId/email/onboard',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs'],
    summary: 'Choose the domain and address that mail is sent from',
    description:
      'Sets the domain up for sending and adds the DNS records it lacks; an existing record is never changed. Once they all exist, verify it.',
    body: z.object({ zoneId: z.string().min(1).max(64), localPart: LocalPart }),
    returns: EmailStatus,
    fails: ['not_enabled', 'conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => onboardMail(ctx, params.projectId, body),
  }),
  verifyEmail: endpoint({
    route: 'POST /projects/:projectId/email/verify',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs'],
    summary: 'Check the DNS records and begin to send',
    description:
      'While records are missing, or the provider has not seen them yet, `verified` is false. Afterwards the app sends from `from`, and mail that waited goes out.',
    returns: z.object({ verified: z.boolean(), from: z.string().optional(), dns: z.array(DnsRecord) }),
    fails: ['not_enabled', 'conflict', 'upstream_error'],
    handle: ({ ctx, params }) => verifyMail(ctx, params.projectId),
  }),
  replaceMailboxes: endpoint({
    route: 'PUT /projects/:projectId/email/mailboxes',
    scope: 'deploy:write',
    needs: ['accounts', 'jobs'],
    summary: 'Replace the addresses whose mail becomes records',
    description:
      'Mail to an address becomes a record of a collection that `app.json` lists under `mailboxes`. An empty list removes every rule of this project; rules of others and the catch-all rule are never changed.',
    body: z.object({ mailboxes: Mailboxes }),
    returns: z.object({ mailboxes: z.array(ShownMailbox), routing: Routing }),
    fails: ['not_enabled', 'conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => replaceMail(ctx, params.projectId, body.mailboxes),
  }),
  listAppMails: operatorEndpoint('email', {
    route: 'GET /projects/:projectId/capabilities/email/mails',
    scope: 'projects:read',
    summary: 'List the mail that the live app sent or has still to send, newest first',
    description: 'Of the last seven days, without texts.',
    query: z.object({ limit: limitParam(1000).optional() }),
    returns: z.array(ListedMail),
    handle: ({ ctx, project, query }) => readMails(ctx, project, query.limit ?? LIMIT_DEFAULT),
  }),
})
