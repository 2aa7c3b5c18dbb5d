import PostalMime, { type Address, type Attachment, type Header } from 'postal-mime'
import { storedFileName } from '../kernel/file-name.ts'

/** Cloudflare's limit for received mail. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024
/** The maximum nesting depth of a mail's parts, which no mail program reaches. Limits the work that a hostile mail causes. */
const DEPTH_MAX = 50
const HEADER_BYTES_MAX = 512 * 1024
/** The maximum number of files of a mail, more than people attach. Further files are dropped. */
const FILES_MAX = 100
const ADDRESSES_MAX = 100
const TEXT_CHARS_MAX = 100_000
const LINE_CHARS_MAX = 1000
const TYPE_CHARS_MAX = 200

export interface FileBytes {
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A parsed mail whose texts all have a length limit. */
export interface ParsedMail {
  from: string
  to: string[]
  subject: string
  text: string
  html: string | null
  /** Null when the mail has no valid Message-ID. */
  messageId: string | null
  isAutomatic: boolean
  files: FileBytes[]
}

/** Parses a received mail. Throws when it cannot be parsed. */
export async function parseMail(bytes: Uint8Array<ArrayBuffer>, envelopeFrom: string): Promise<ParsedMail> {
  const mail = await PostalMime.parse(bytes, {
    maxNestingDepth: DEPTH_MAX,
    maxHeadersSize: HEADER_BYTES_MAX,
    maxRfc822NestingDepth: 1,
    attachmentEncoding: 'arraybuffer',
  })
  const text = mail.text ?? ''
  const html = mail.html === undefined ? null : withoutNul(mail.html)
  return {
    from: toOneLine(addressesIn(mail.from === undefined ? [] : [mail.from])[0] ?? envelopeFrom),
    to: addressesIn([...(mail.to ?? []), ...(mail.cc ?? [])]),
    subject: toOneLine(mail.subject ?? ''),
    text: withoutNul(text === '' && html !== null ? await htmlToText(html) : text).slice(0, TEXT_CHARS_MAX),
    html: html !== null && html.length > TEXT_CHARS_MAX ? null : html,
    messageId: toOneLine(mail.messageId ?? '') || null,
    isAutomatic: isAutomaticMail(mail.headers, envelopeFrom),
    files: mail.attachments.slice(0, FILES_MAX).map(toFile),
  }
}

/** Removes NUL characters, which no text field of a record may contain. */
const withoutNul = (text: string): string => text.replaceAll('\u0000', '')

const toOneLine = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LINE_CHARS_MAX)

const addressesIn = (given: readonly Address[]): string[] =>
  given
    .flatMap((one) => one.group ?? [one])
    .slice(0, ADDRESSES_MAX)
    .map(({ address }) => toOneLine(address ?? '').toLowerCase())
    .filter((address) => address !== '')

function toFile({ filename, mimeType, content }: Attachment): FileBytes {
  const name = storedFileName(toOneLine(filename ?? ''))
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)
  return {
    name: name === '' ? 'attachment' : name,
    type: toOneLine(mimeType).slice(0, TYPE_CHARS_MAX),
    bytes,
  }
}

const AUTOMATIC_PRECEDENCE = /^(?:bulk|list|junk|auto_reply)$/i
const LIST_HEADERS = new Set(['list-id', 'list-unsubscribe', 'list-post', 'x-autoreply', 'x-autorespond'])

/**
 * Returns whether a program sent the mail (RFC 3834). A bounce has no sender. One matching header is enough, even if another header says
 * that a person sent the mail, because that header may be forged.
 */
export function isAutomaticMail(
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
 * Converts HTML to text, for a mail without a text part. The parser converts only the HTML of a mail that also has plain text, so build
 * such a mail.
 */
async function htmlToText(html: string): Promise<string> {
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
