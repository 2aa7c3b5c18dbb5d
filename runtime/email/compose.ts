import type { MailKind } from './store.ts'
import type { OutgoingMail } from './types.ts'

/** The fields of a mail as Cloudflare's email binding expects them. */
export interface MailFields {
  from: { email: string; name: string }
  to: string[]
  subject: string
  text: string
  html?: string
  replyTo?: string
  headers: Record<string, string>
  attachments?: { filename: string; type: string; disposition: 'attachment'; content: ArrayBuffer }[]
}

export interface SendEmail {
  send(mail: MailFields): Promise<unknown>
}

interface MailContext {
  id: string
  kind: MailKind
  from: string
  appName: string
  /** The reply address from the settings; null when replies go to the sender. */
  replyTo: string | null
}

/** Returns the mail for the provider. Messages of the runtime end with the app's name and are sent as text and HTML. */
export function mailFields(
  mail: OutgoingMail,
  { id, kind, from, appName, replyTo }: MailContext,
): MailFields {
  const { to, subject, attachments } = mail
  const text = kind === 'app' || appName === '' ? mail.text : `${mail.text}\n\n${appName}`
  const html = kind === 'app' ? mail.html : htmlOf(text)
  const answerTo = mail.replyTo ?? replyTo
  return {
    from: { email: from, name: headerText(appName) || from },
    to,
    subject,
    text,
    ...(html !== null && { html }),
    ...(answerTo !== null && { replyTo: answerTo }),
    // `Auto-Submitted` keeps out-of-office programs from replying. The id lets a receiver detect a mail that was sent twice.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Slipway-Mail': id },
    ...(attachments.length > 0 && {
      attachments: attachments.map(({ name, type, bytes }) => ({
        filename: name,
        type,
        disposition: 'attachment' as const,
        content: bytes.buffer,
      })),
    }),
  }
}

/** An app's name may contain characters that would end the header or start an address. */
const headerText = (name: string): string => name.replaceAll(/[\p{Cc}<>"@,;:\\]/gu, ' ').trim()

/** Converts plain text to HTML: empty lines separate paragraphs, and links can be clicked. */
export function htmlOf(text: string): string {
  const paragraphs = text.split(/\n{2,}/).map((part) => `<p>${linkUrls(part).replaceAll('\n', '<br>')}</p>`)
  return `<!doctype html><html><body>${paragraphs.join('')}</body></html>`
}

const linkUrls = (text: string): string =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, i) =>
      i % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('')

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
