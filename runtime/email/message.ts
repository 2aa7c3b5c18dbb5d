import { invalid } from '../kernel/errors.ts'
import { fieldsOf, utf8Length } from '../kernel/fields.ts'
import type { OutgoingMail } from './types.ts'

const RECIPIENTS_MAX = 50
const SUBJECT_CHARS_MAX = 500
const ADDRESS_CHARS_MAX = 254
/** Text and HTML are stored in one row, and a row holds 2 MB. */
const TEXT_BYTES_MAX = 400_000
const HTML_BYTES_MAX = 1_000_000
const FILES_MAX = 20
/** The limit for texts and files together, as the provider counts. */
const TOTAL_BYTES_MAX = 5 * 1024 * 1024
const ADDRESS_PATTERN = /^[^\s@<>",;:\\()[\]]{1,64}@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]+$/
/** A line break in a header would start another header. */
const CONTROL_CHARACTER = /\p{Cc}/u
const MEDIA_TYPE = /^[\w.+-]{1,80}\/[\w.+-]{1,80}$/

export const newMailId = (): string => `mail_${crypto.randomUUID().replaceAll('-', '')}`

/** Validates a mail. Throws an error that names the invalid field for a mail that no mail server would accept. */
export function validateMail(given: unknown): OutgoingMail {
  const { to, subject, text, html, replyTo, attachments = [] } = fieldsOf(given)
  const recipients = typeof to === 'string' ? [to] : to
  if (!Array.isArray(recipients) || recipients.length === 0 || recipients.length > RECIPIENTS_MAX)
    throw invalid('to', `must be an address, or 1 to ${RECIPIENTS_MAX} of them`)
  const mail: OutgoingMail = {
    to: [...new Set(recipients.map((one) => addressIn('to', one)))],
    subject: requireHeaderText('subject', subject),
    text: requireText('text', text, TEXT_BYTES_MAX),
    html: html === undefined || html === null ? null : requireText('html', html, HTML_BYTES_MAX),
    replyTo: replyTo === undefined || replyTo === null ? null : addressIn('replyTo', replyTo),
    attachments: requireAttachments(attachments),
  }
  const size =
    utf8Length(mail.text) +
    utf8Length(mail.html ?? '') +
    mail.attachments.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > TOTAL_BYTES_MAX) throw invalid('attachments', 'are larger than 5 MiB with the text')
  return mail
}

/** Normalizes an address, so that capital letters cannot evade a limit. */
export function addressIn(field: string, value: unknown): string {
  const address = typeof value === 'string' ? value.normalize('NFC').toLowerCase() : ''
  if (address.length > ADDRESS_CHARS_MAX || CONTROL_CHARACTER.test(address) || !ADDRESS_PATTERN.test(address))
    throw invalid(field, 'must be an email address')
  return address
}

function requireHeaderText(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '' || value.length > SUBJECT_CHARS_MAX)
    throw invalid(field, `must have 1 to ${SUBJECT_CHARS_MAX} characters`)
  if (CONTROL_CHARACTER.test(value)) throw invalid(field, 'must be one line')
  return value
}

function requireText(field: string, value: unknown, bytesMax: number): string {
  if (typeof value !== 'string') throw invalid(field, 'must be text')
  if (utf8Length(value) > bytesMax) throw invalid(field, `must have at most ${bytesMax} bytes`)
  return value
}

function requireAttachments(given: unknown): OutgoingMail['attachments'] {
  if (!Array.isArray(given) || given.length > FILES_MAX)
    throw invalid('attachments', `must be a list of at most ${FILES_MAX} files`)
  return given.map((file) => {
    const { name, type, content } = fieldsOf(file)
    if (
      typeof name !== 'string' ||
      name === '' ||
      name.length > 200 ||
      CONTROL_CHARACTER.test(name) ||
      /[/\\"]/.test(name)
    )
      throw invalid('attachments', 'must have names without slashes')
    if (typeof type !== 'string' || !MEDIA_TYPE.test(type))
      throw invalid('attachments', 'must have media types like text/csv')
    return { name, type, bytes: attachmentBytes(content) }
  })
}

function attachmentBytes(content: unknown): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content)
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  if (content instanceof Uint8Array) return new Uint8Array(content)
  throw invalid('attachments', 'must have content: text or bytes')
}
