import * as z from 'zod'

const Address = z.union([z.string(), z.object({ email: z.string(), name: z.string().optional() })])
const Addresses = z.union([Address, z.array(Address)]).transform((given) => [given].flat())

/** The structured form of a mail, which is the same for bindings and the REST API. Contents of attachments are base64. */
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

export const mailAddress = (given: z.output<typeof Address>): string =>
  typeof given === 'string' ? (/<([^<>]+)>\s*$/.exec(given)?.[1] ?? given).trim() : given.email.trim()

export const displayName = (given: z.output<typeof Address>): string =>
  typeof given === 'string' ? '' : (given.name ?? '')

/** Returns the subject in the head of a raw mail, in one line; empty when there is none. */
export function rawSubject(raw: string): string {
  const [head = ''] = raw.split(/\r?\n\r?\n|^\r?\n/, 1)
  return /^subject:(.*)$/im.exec(head.replaceAll(/\r?\n[ \t]+/g, ' '))?.[1]?.trim() ?? ''
}
