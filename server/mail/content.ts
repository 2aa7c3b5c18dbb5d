import * as z from 'zod'
import type { Keyring, Place } from '../crypto/keyring.ts'
import type { Letter } from './letter.ts'

/** The place that a mail's text is sealed to. A mail belongs to a person, not to an organization. */
const placeOf = (id: string): Place => ({ table: 'mails', id, column: 'content', organizationId: '' })

const Content = z.object({ subject: z.string(), text: z.string(), html: z.string() })

export const sealLetter = (keyring: Keyring, id: string, letter: Letter): string =>
  keyring.seal(JSON.stringify(letter), placeOf(id))

export const openLetter = (keyring: Keyring, id: string, sealed: string): Letter =>
  Content.parse(JSON.parse(keyring.open(sealed, placeOf(id))))
