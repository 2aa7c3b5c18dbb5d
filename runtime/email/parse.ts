import PostalMime, { type Address, type Attachment, type Header } from 'postal-mime'

/** What the provider delivers at most. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024
/** Deeper than any program nests; a hostile mail has no more levels to spend. */
const DEPTH_MAX = 50
const HEADER_BYTES_MAX = 512 * 1024
/** More files than people attach; what is above is dropped. */
const FILES_MAX = 100
const ADDRESSES_MAX = 100
const TEXT_CHARS_MAX = 100_000
const LINE_CHARS_MAX = 1000
const NAME_CHARS_MAX = 200

/** A file of a mail with its bytes. */
export interface FileBytes {
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A mail as it was read; every text is bounded. */
export interface ParsedMail {
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  /** Null: it has none, or one that names nothing. */
  messageId: string | null
  isAutomatic: boolean
  files: FileBytes[]
}

/** Reads a mail. Throws for one that no program would show. */
export async function parseMail(bytes: Uint8Array<ArrayBuffer>, envelopeFrom: string): Promise<ParsedMail> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: DEPTH_MAX,
    maxHeadersSize: HEADER_BYTES_MAX,
    maxRfc822NestingDepth: 1,
    attachmentEncoding: 'arraybuffer',
  })
  const text = mail.text ?? ''
  return {
    from: line(addressesIn(mail.from === undefined ? [] : [mail.from])[0] ?? envelopeFrom),
    to: addressesIn([...(mail.to ?? []), ...(mail.cc ?? [])]),
    subject: line(mail.subject ?? ''),
    text: (text === '' && mail.html !== undefined ? await textOf(mail.html) : text).slice(0, TEXT_CHARS_MAX),
    html: mail.html === undefined || mail.html.length > TEXT_CHARS_MAX ? null : mail.html,
    messageId: line(mail.messageId ?? '') || null,
    isAutomatic: isAutomatic(mail.headers, envelopeFrom),
    files: mail.attachments.slice(0, FILES_MAX).map(fileOf),
  }
}

const line = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LINE_CHARS_MAX)

const addressesIn = (given: readonly Address[]): string[] =>
  given
    .flatMap((one) => one.group ?? [one])
    .slice(0, ADDRESSES_MAX)
    .map(({ address }) => line(address ?? '').toLowerCase())
    .filter((address) => address !== '')

function fileOf({ filename, mimeType, content }: Attachment): FileBytes {
  const name = line(filename ?? '')
    .replaceAll(/[/\\]/g, '_')
    .slice(0, NAME_CHARS_MAX)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return { name: name === '' ? 'attachment' : name, type: line(mimeType).slice(0, NAME_CHARS_MAX), bytes }
}

const AUTOMATIC_PRECEDENCE = /^(?:bulk|list|junk|auto_reply)$/i
const LIST_HEADERS = new Set(['list-id', 'list-unsubscribe', 'list-post', 'x-autoreply', 'x-autorespond'])

/**
 * Whether a program wrote a mail (RFC 3834). Any header that says so counts: one that denies it beside it is forged. A
 * bounce has no sender.
 */
export function isAutomatic(
  headers: readonly Pick<Header, 'key' | 'value'>[],
  envelopeFrom: string,
): boolean {
  if (envelopeFrom === '' || envelopeFrom === '<>' || /^mailer-daemon@/i.test(envelopeFrom)) return true
  return headers.some(({ key, value }) => {
    if (LIST_HEADERS.has(key)) return true
    if (key === 'precedence') return AUTOMATIC_PRECEDENCE.test(value.trim())
    return key === 'auto-submitted' && !/^no(?:\s*[;(]|$)/i.test(value.trim())
  })
}

/**
 * The words of a page, for a mail that has no other text. The parser writes them when a mail has plain text, too, so it
 * gets one with both.
 */
async function textOf(html: string): Promise<string> {
  const boundary = crypto.randomUUID()
  const lines = [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    `\r\n--${boundary}\r\n\r\n`,
    `--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\n`,
    html.slice(0, TEXT_CHARS_MAX),
    `--${boundary}--`,
  ]
  const { text = '' } = await PostalMime.parse(lines.join('\r\n'))
  return text.replaceAll(/\n\s*\n+/g, '\n\n').trim()
}
