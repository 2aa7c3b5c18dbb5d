import { isRecord } from '@slipway/sdk/is-record.ts'
import { shipText } from '../../text/shipping.en.ts'

/**
 * The most that an app allows to people. `add`: every visitor adds records. `read`: every visitor reads some. `people`: only people with an
 * account read some. `none`: visitors see none. `code`: nothing is visible without the app's access code.
 */
export type RecordAccess = 'add' | 'read' | 'people' | 'none' | 'code'

/** The values of an access rule that require an account. */
const FOR_PEOPLE: unknown[] = ['members', 'owner', 'team', 'staff']

/** Says who can do what with the records. An app in the local cloud has a sentence of its own, because other machines cannot open it yet. */
export const accessSentence = (access: RecordAccess, isLocal: boolean): string =>
  access === 'add' && isLocal ? shipText.openedLater : shipText.access[access]

/** Reads the access from `app.json`; null when the app keeps no records, or the text is invalid. */
export function recordAccess(appJson: string | null | undefined): RecordAccess | null {
  const collections = collectionsOf(appJson)
  if (collections.length === 0) return null
  if (collections.some((one) => one['write'] === 'public')) return 'add'
  if (collections.some((one) => one['read'] === 'public')) return 'read'
  // Without a `read` rule the default needs an account, whatever the kind of partition: `owner`, `team` or `members`.
  return collections.some((one) => FOR_PEOPLE.includes(one['read'] ?? 'members')) ? 'people' : 'none'
}

function collectionsOf(appJson: string | null | undefined): Record<string, unknown>[] {
  try {
    const app = JSON.parse(appJson ?? '')
    return isRecord(app) && isRecord(app['collections'])
      ? Object.values(app['collections']).filter(isRecord)
      : []
  } catch {
    return []
  }
}
