import * as z from 'zod'
import type { Keyring, SealedPlace } from '../crypto/keyring.ts'
import type { MailMessage } from '../mail-port.ts'

/**
 * The text of a mail is encrypted with the id of its row as additional data, so it cannot be decrypted in another row. A
 * mail belongs to a person, so it has no organization.
 */
const contentPlace = (id: string): SealedPlace => ({
  table: 'mails',
  id,
  column: 'content',
  organizationId: '',
})

const Content = z.object({ subject: z.string(), text: z.string(), html: z.string() })

export const sealMail = (keyring: Keyring, id: string, message: MailMessage): string =>
  keyring.seal(JSON.stringify(message), contentPlace(id))

export const openMail = (keyring: Keyring, id: string, sealed: string): MailMessage =>
  Content.parse(JSON.parse(keyring.open(sealed, contentPlace(id))))
