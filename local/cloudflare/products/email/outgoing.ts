import * as z from 'zod'

const Address = z.union([z.string(), z.object({ email: z.string(), name: z.string().optional() })])
const Addresses = z.union([Address, z.array(Address)]).transform((given) => [given].flat())

/** A structured mail, which is the same for bindings and the REST API. Attachments are base64. */
export const OutgoingMail = z.object({
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
export type OutgoingMail = z.output<typeof OutgoingMail>

/** Returns the address alone, from an object or from a text such as `Ada <ada@example.com>`. */
export const mailAddress = (given: z.output<typeof Address>): string =>
  typeof given === 'string' ? (/<([^<>]+)>\s*$/.exec(given)?.[1] ?? given).trim() : given.email.trim()

/** Returns the name before the address; empty when there is none. */
export const displayName = (given: z.output<typeof Address>): string =>
  typeof given === 'string' ? (/^\s*"?(.*?)"?\s*<[^<>]+>\s*$/.exec(given)?.[1] ?? '') : (given.name ?? '')

/** Returns the subject in the head of a raw mail, decoded and in one line; empty when there is none. */
export function rawSubject(raw: string): string {
  const [head = ''] = raw.split(/\r?\n\r?\n|^\r?\n/, 1)
  return decodeWords(/^subject:(.*)$/im.exec(head.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1]?.trim() ?? '')
}

const ENCODED_WORD = /=\?([^?\s*]+)[^?\s]*\?([BQ])\?([^?\s]*)\?=/gi

/** Decodes the encoded words of a header (RFC 2047), such as `=?utf-8?Q?M=C3=BCller?=`. */
function decodeWords(header: string): string {
  // Spaces between two encoded words are not part of the text.
  return header.replaceAll(/(\?=)\s+(?==\?)/g, '$1').replaceAll(ENCODED_WORD, (word, charset, form, text) => {
    try {
      const bytes =
        form.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : Buffer.from(fromQuoted(text), 'latin1')
      // A decoded header must stay one line.
      return new TextDecoder(charset).decode(bytes).replaceAll(/[\r\n]+/g, ' ')
    } catch {
      return word
    }
  })
}

const fromQuoted = (text: string): string =>
  text
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
