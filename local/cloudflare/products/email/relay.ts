import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import type { Store } from '../../../world/store.ts'
import { suppress } from './mails.ts'
import type { OutgoingMail } from './outgoing.ts'

/** The binding times out after a minute, so a slow mail server must be reported earlier. */
const ANSWER_MS_MAX = 20_000

export interface RelayServer {
  url: string
  /** The sender address of all mail; null: each mail keeps the address that the app chose. */
  from: string | null
}

export interface RelayResult {
  /** Recipients for which the server replied with 250, in this attempt or an earlier one. */
  delivered: string[]
  /** Recipients that the server refused permanently, each with its reply. */
  bounced: { address: string; reply: string }[]
  waiting: string | null
}

interface QueuedMail {
  accountId: string
  /** Identifies the mail in all attempts to send it. */
  key: string
  from: { name: string; address: string }
  to: string[]
  mail: OutgoingMail
  raw: string | null
}

/**
 * Sends a mail to the mail server for those recipients that have no outcome yet. When the connection is lost before the server's last
 * reply, it is unknown whether the server accepted the mail. The next attempt then sends the mail with the same Message-ID.
 */
export async function relayMail(
  { store, now }: { store: Store; now(): number },
  server: RelayServer,
  letter: QueuedMail,
): Promise<RelayResult> {
  const { accountId, key, to } = letter
  const known = outcomesOf(store, accountId, key)
  const recipients = [...new Set(to)].filter((address) => !known.has(address))
  const refused = recipients.length === 0 ? [] : await sendLetter(server, letter, recipients)
  const temporary = refused.filter(({ isFinal }) => !isFinal)
  store.transact(() => {
    for (const recipient of recipients) {
      const refusal = refused.find(({ address }) => address === recipient)
      if (refusal !== undefined && !refusal.isFinal) continue
      const sql = 'INSERT OR IGNORE INTO email_relays VALUES (?, ?, ?, ?, ?)'
      store.run(sql, accountId, key, recipient, refusal?.reply ?? null, now())
      if (refusal?.isOfRecipient === true) suppress(store, accountId, recipient, now())
    }
  })
  const outcomes = outcomesOf(store, accountId, key)
  return {
    delivered: to.filter((address) => outcomes.get(address) === null),
    bounced: to.flatMap((address) => {
      const reply = outcomes.get(address)
      return typeof reply === 'string' ? [{ address, reply }] : []
    }),
    waiting: temporary.map(({ address, reply }) => `${address}: ${reply}`).join(', ') || null,
  }
}

/** Returns the recipients of a mail that have an outcome: null for delivered, or the reply that refused them. */
export function outcomesOf(store: Store, accountId: string, key: string): Map<string, string | null> {
  const sql = 'SELECT recipient, reply FROM email_relays WHERE account_id = ? AND mail_key = ?'
  const rows = store.all<{ recipient: string; reply: string | null }>(sql, accountId, key)
  return new Map(rows.map((row) => [row.recipient, row.reply]))
}

interface RefusedAddress {
  address: string
  isFinal: boolean
  /** True when the server refused this recipient; false when it refused the mail for all recipients. */
  isOfRecipient: boolean
  reply: string
}

/** Sends the mail. Returns the recipients that the server refused. The server accepted the mail for all others. */
async function sendLetter(server: RelayServer, letter: QueuedMail, to: string[]): Promise<RefusedAddress[]> {
  const { key, from, mail, raw } = letter
  const sender = server.from ?? from.address
  // Several spellings of one address are one recipient for the mail server.
  const spellings = Map.groupBy(to, envelopeAddress)
  const refusedAmong = (outcome: unknown) =>
    refusalsIn(outcome).flatMap((refusal) =>
      (spellings.get(refusal.address) ?? []).map((address) => ({ ...refusal, address })),
    )
  const transport = createTransport({
    url: server.url,
    connectionTimeout: ANSWER_MS_MAX,
    greetingTimeout: ANSWER_MS_MAX,
    socketTimeout: ANSWER_MS_MAX,
    // Disable these features: a mail must not include a file of this machine or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const replyTo = mail.replyTo ?? mail.reply_to ?? (server.from === null ? undefined : from.address)
  try {
    const sent = await transport.sendMail({
      envelope: { from: sender, to: [...spellings.keys()] },
      ...(raw !== null && { raw }),
      from: { name: from.name, address: sender },
      to: mail.to.map(toMailbox),
      cc: (mail.cc ?? []).map(toMailbox),
      ...(replyTo === undefined ? {} : { replyTo: toMailbox(replyTo) }),
      subject: mail.subject,
      ...(mail.text != null && { text: mail.text }),
      ...(mail.html != null && { html: mail.html }),
      messageId: `<${key.replaceAll(/[^\w.-]/g, '')}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
      ...(mail.headers !== undefined && { headers: mail.headers }),
      attachments: (mail.attachments ?? []).map(({ filename, type, content }) => ({
        filename,
        contentType: type,
        content,
        encoding: 'base64',
      })),
    })
    return refusedAmong(sent)
  } catch (error) {
    const refused = refusedAmong(error)
    if (refused.length === to.length) return refused
    // Only a refusal of the content is permanent. A refused sign-in or sender means a wrong configuration, so the mail is sent again later.
    const isFinal = (error as SmtpError).command === 'DATA' && smtpCode(error) >= 500
    return to.map((address) => ({ address, isFinal, isOfRecipient: false, reply: replyOf(error) }))
  }
}

const toMailbox = (given: string | { email: string; name?: string | undefined }) =>
  typeof given === 'string' ? given : { name: given.name ?? '', address: given.email }

/**
 * Returns the spelling of an address that Nodemailer sends to the server and reports in `rejectedErrors`: the domain in lower case and in
 * ASCII. A refused recipient could not be found under any other spelling, and would count as delivered.
 */
function envelopeAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  return address.slice(0, at) + (domainToASCII(domain) || domain.toLowerCase())
}

interface SmtpError {
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

/** Nodemailer's result and its error both have `rejectedErrors`: the recipients that the server refused before it received the content. */
function refusalsIn(outcome: unknown): RefusedAddress[] {
  const { rejectedErrors } = outcome as { rejectedErrors?: { recipient: string }[] }
  return (rejectedErrors ?? []).map((error) => ({
    address: error.recipient,
    isFinal: smtpCode(error) >= 500,
    isOfRecipient: true,
    reply: replyOf(error),
  }))
}

const smtpCode = (error: unknown): number => (error as SmtpError).responseCode ?? 0

const replyOf = (error: unknown): string => {
  const { response, message } = error as SmtpError
  return String(response ?? message ?? error).slice(0, 300)
}
