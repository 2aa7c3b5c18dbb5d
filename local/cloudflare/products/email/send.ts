import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { asksFor } from '../../../faults/sentinels.ts'
import type { Store } from '../../../world/store.ts'
import { maySendFrom } from './domains.ts'
import { insertMail, isSuppressed, suppress } from './mails.ts'

const RECIPIENTS_MAX = 50
const MAIL_BYTES_MAX = 25 * 1024 * 1024

const Address = z.union([z.string(), z.object({ email: z.string(), name: z.string().optional() })])
const Addresses = z.union([Address, z.array(Address)]).transform((given) => [given].flat())

/** The structured form of a mail, the same for bindings and the REST API. Contents of attachments are base64. */
export const Outgoing = z.object({
  from: Address,
  to: Addresses,
  cc: Addresses.optional(),
  bcc: Addresses.optional(),
  replyTo: Address.optional(),
  reply_to: Address.optional(),
  subject: z.string().max(998),
  text: z.string().nullish(),
  html: z.string().nullish(),
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z.array(z.object({ filename: z.string(), type: z.string(), content: z.string() })).optional(),
})
export type Outgoing = z.output<typeof Outgoing>

export interface SendProblem {
  /** As the provider's binding gives it. */
  code:
    | 'E_VALIDATION_ERROR'
    | 'E_SENDER_NOT_VERIFIED'
    | 'E_RECIPIENT_SUPPRESSED'
    | 'E_TOO_MANY_RECIPIENTS'
    | 'E_CONTENT_TOO_LARGE'
  message: string
}

export interface MailWorld {
  store: Store
  now(): number
  timeScale: number
}

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/
const addressOf = (given: z.output<typeof Address>): string =>
  typeof given === 'string' ? (/<([^<>]+)>\s*$/.exec(given)?.[1] ?? given).trim() : given.email.trim()

/** Stores a mail as sent, or returns why the provider would refuse it. `allowed` are the addresses of the binding. */
export function sendMail(
  world: MailWorld,
  by: { accountId: string; worker: string | null; allowed?: string[] | undefined },
  mail: Outgoing,
  raw: string | null,
): { messageId: string; delivered: string[]; bounced: string[] } | { problem: SendProblem } {
  const { store } = world
  const { accountId, worker, allowed } = by
  const from = addressOf(mail.from)
  const to = [...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])].map(addressOf)
  const headers = mail.headers ?? {}
  const no = (code: SendProblem['code'], message: string) => ({ problem: { code, message } })
  if (![from, ...to].every((address) => ADDRESS.test(address)))
    return no('E_VALIDATION_ERROR', 'An address is invalid.')
  if ([mail.subject, ...Object.entries(headers).flat()].some((text) => /[\r\n]/.test(text)))
    return no('E_VALIDATION_ERROR', 'A header has a line break.')
  if (to.length === 0 || to.length > RECIPIENTS_MAX)
    return no('E_TOO_MANY_RECIPIENTS', `A mail has 1 to ${RECIPIENTS_MAX} recipients.`)
  if (JSON.stringify([mail, raw]).length > MAIL_BYTES_MAX)
    return no('E_CONTENT_TOO_LARGE', 'The mail is too large.')
  const isAllowed = allowed === undefined || allowed.includes(from)
  if (!isAllowed || !maySendFrom(store, accountId, from, { now: world.now(), timeScale: world.timeScale }))
    return no('E_SENDER_NOT_VERIFIED', `email from ${from} not allowed`)
  const suppressed = to.find((address) => isSuppressed(store, accountId, address))
  if (suppressed !== undefined)
    return no('E_RECIPIENT_SUPPRESSED', `${suppressed} bounced before and is suppressed.`)
  const bounced = to.filter((address) => asksFor(address.split('@')[0] ?? '', 'fail-bounce'))
  const replyTo = mail.replyTo ?? mail.reply_to
  store.transact(() => {
    for (const address of bounced) suppress(store, accountId, address, world.now())
    insertMail(store, {
      accountId,
      direction: 'out',
      worker,
      from,
      to,
      subject: mail.subject,
      content: {
        text: mail.text ?? null,
        html: mail.html ?? null,
        headers: { ...headers, ...(replyTo === undefined ? {} : { 'Reply-To': addressOf(replyTo) }) },
        attachments: (mail.attachments ?? []).map(({ filename, type, content }) => ({
          filename,
          type,
          sizeBytes: Buffer.byteLength(content, 'base64'),
        })),
        raw,
      },
      status: bounced.length > 0 ? 'bounced' : 'stored',
      detail: bounced.length > 0 ? `It bounced from ${bounced.join(', ')}.` : null,
      at: world.now(),
    })
  })
  const messageId = `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`
  return { messageId, delivered: to.filter((address) => !bounced.includes(address)), bounced }
}
