import { shipText } from '../../text/shipping.en.ts'

/**
 * The most that an app allows: every visitor adds records (`add`) or reads them (`read`), only people with an
 * account read some (`people`), or visitors see none. `code`: nothing is visible without the access code of
 * the app.
 */
export type RecordAccess = 'add' | 'read' | 'people' | 'none' | 'code'

/** The values of an access rule that require an account. */
const FOR_PEOPLE: unknown[] = ['members', 'owner', 'team', 'staff']

/** Who can do what with the records, as a sentence; a local app cannot be opened from another machine yet. */
export const accessSentence = (access: RecordAccess, isLocal: boolean): string =>
  access === 'add' && isLocal ? shipText.openedLater : shipText.access[access]

/** Reads the access from `app.json`; null when the app keeps no records, or the text is invalid. */
export function recordAccess(appJson: string | null | undefined): RecordAccess | null {
  const collections = collectionsOf(appJson)
  if (collections.length === 0) return null
  if (collections.some(({ write }) => write === 'public')) return 'add'
  if (collections.some(({ read }) => read === 'public')) return 'read'
  // Left out, the word is `owner`, `team` or `members`, by the partition.
  return collections.some(({ read = 'members' }) => FOR_PEOPLE.includes(read)) ? 'people' : 'none'
}

function collectionsOf(appJson: string | null | undefined): { read?: unknown; write?: unknown }[] {
  try {
    const { collections } = JSON.parse(appJson ?? '') as { collections?: Record<string, object> }
    return Object.values(collections ?? {})
  } catch {
    return []
  }
}
