import { createHash, randomUUID } from 'node:crypto'
import { hasSentinel } from '../../../faults/sentinels.ts'
import type { Store } from '../../../world/store.ts'
import { maySendFrom } from './domains.ts'
import { insertMail, isSuppressed, suppress } from './mails.ts'
import { mailAddress, displayName, type OutgoingMail } from './outgoing.ts'
import { outcomesOf, relayMail, type RelayServer } from './relay.ts'

const RECIPIENTS_MAX = 50
const MAIL_BYTES_MAX = 25 * 1024 * 1024

/** Why a mail was refused, with the error codes that the provider's binding throws. */
export interface SendProblem {
  code:
    | 'E_VALIDATION_ERROR'
    | 'E_SENDER_NOT_VERIFIED'
    | 'E_RECIPIENT_SUPPRESSED'
    | 'E_TOO_MANY_RECIPIENTS'
    | 'E_CONTENT_TOO_LARGE'
    | 'E_DELIVERY_FAILED'
  message: string
}

/** What sending a mail needs. `timeScale` multiplies the waits that the provider would take. */
export interface MailWorld {
  store: Store
  now(): number
  timeScale: number
  /** The mail server that delivers the mail; null: mail is only stored. */
  relay: RelayServer | null
}

// Excludes the special characters of RFC 5322, 3.2.3: a mail to `a,b@example.com` would go to `b@example.com`.
const ADDRESS_FORMAT = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/

/**
 * Stores a mail as sent, or returns why the provider would refuse it. `allowed` are the binding's sender addresses. With a relay, first
 * sends the mail to the mail server. After an error that a retry may solve, returns `E_DELIVERY_FAILED` and stores nothing.
 */
export async function sendMail(
  world: MailWorld,
  by: { accountId: string; worker: string | null; allowed?: string[] | undefined },
  mail: OutgoingMail,
  raw: string | null,
): Promise<{ messageId: string; delivered: string[]; bounced: string[] } | { problem: SendProblem }> {
  const { store } = world
  const { accountId, worker, allowed } = by
  const from = mailAddress(mail.from)
  const to = [...mail.to, ...(mail.cc ?? []), ...(mail.bcc ?? [])].map(mailAddress)
  const headers = mail.headers ?? {}
  const sendProblem = (code: SendProblem['code'], message: string) => ({ problem: { code, message } })
  if (![from, ...to].every((address) => ADDRESS_FORMAT.test(address)))
    return sendProblem('E_VALIDATION_ERROR', 'An address is invalid.')
  if ([mail.subject, ...Object.entries(headers).flat()].some((text) => /[\r\n]/.test(text)))
    return sendProblem('E_VALIDATION_ERROR', 'A header has a line break.')
  if (to.length === 0 || to.length > RECIPIENTS_MAX)
    return sendProblem('E_TOO_MANY_RECIPIENTS', `A mail has 1 to ${RECIPIENTS_MAX} recipients.`)
  if (JSON.stringify([mail, raw]).length > MAIL_BYTES_MAX)
    return sendProblem('E_CONTENT_TOO_LARGE', 'The mail is too large.')
  const isAllowed = allowed === undefined || allowed.includes(from)
  if (!isAllowed || !maySendFrom(store, accountId, from, { now: world.now(), timeScale: world.timeScale }))
    return sendProblem('E_SENDER_NOT_VERIFIED', `email from ${from} not allowed`)
  const key = headers['X-Slipway-Mail'] ?? randomUUID()
  const outcomes = outcomesOf(store, accountId, key)
  const suppressed = to.find((address) => !outcomes.has(address) && isSuppressed(store, accountId, address))
  if (suppressed !== undefined)
    return sendProblem('E_RECIPIENT_SUPPRESSED', `${suppressed} bounced before and is suppressed.`)
  const letter = { accountId, key, from: { name: displayName(mail.from), address: from }, to, mail, raw }
  const relayed = world.relay === null ? null : await relayMail(world, world.relay, letter)
  if (relayed?.waiting != null) return sendProblem('E_DELIVERY_FAILED', relayed.waiting)
  const bounces = relayed?.bounced ?? to.filter(asksForBounce).map((address) => ({ address, reply: null }))
  const bounced = bounces.map(({ address }) => address)
  const replyTo = mail.replyTo ?? mail.reply_to
  store.transact(() => {
    if (relayed === null) for (const address of bounced) suppress(store, accountId, address, world.now())
    insertMail(store, {
      // The id is a hash of the mail: when an app lost the response and sends a relayed mail again, the mail is listed once.
      ...(relayed !== null && { id: createHash('sha256').update(`${accountId} ${key}`).digest('hex') }),
      accountId,
      direction: 'out',
      worker,
      from,
      to,
      subject: mail.subject,
      content: {
        text: mail.text ?? null,
        html: mail.html ?? null,
        headers: { ...headers, ...(replyTo === undefined ? {} : { 'Reply-To': mailAddress(replyTo) }) },
        attachments: (mail.attachments ?? []).map(({ filename, type, content }) => ({
          filename,
          type,
          sizeBytes: Buffer.byteLength(content, 'base64'),
        })),
        raw,
      },
      status: bounced.length > 0 ? 'bounced' : relayed === null ? 'stored' : 'delivered',
      detail: bounced.length > 0 ? `It bounced from ${bounces.map(describeRefusal).join(', ')}.` : null,
      at: world.now(),
    })
  })
  if (relayed !== null && bounced.length === to.length)
    return sendProblem(
      'E_RECIPIENT_SUPPRESSED',
      `It bounced from ${bounces.map(describeRefusal).join(', ')}.`,
    )
  const messageId = `<${randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`
  return { messageId, delivered: to.filter((address) => !bounced.includes(address)), bounced }
}

const asksForBounce = (address: string): boolean => hasSentinel(address.split('@')[0] ?? '', 'fail-bounce')

const describeRefusal = ({ address, reply }: { address: string; reply: string | null }): string =>
  reply === null ? address : `${address} (${reply})`
