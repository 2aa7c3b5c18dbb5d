import { isRecord } from '@slipway/sdk/is-record.ts'
import { shipText } from '../../text/shipping.en.ts'

/**
 * The widest access to the records of an app, over all its collections. `add`: every visitor can add records.
 * `read`: every visitor can read some. `people`: only people with an account can read some. `none`: only the
 * operator can read any. `code`: the whole app needs its access code.
 */
export type RecordAccess = 'add' | 'read' | 'people' | 'none' | 'code'

/** The values of an access rule that require an account. */
const FOR_PEOPLE: unknown[] = ['members', 'owner', 'team', 'staff']

/**
 * Says who can do what with the records. For an app in the local cloud that lets every visitor add records, the
 * sentence says “once it is on the internet”, because other machines cannot open the app yet.
 */
export const accessSentence = (access: RecordAccess, isLocal: boolean): string =>
  access === 'add' && isLocal ? shipText.openedLater : shipText.access[access]

/** Reads the access from `app.json`; null when the app keeps no records, or the text is invalid. */
export function recordAccess(appJson: string | null | undefined): RecordAccess | null {
  const collections = collectionsInManifest(appJson)
  if (collections.length === 0) return null
  if (collections.some((one) => one['write'] === 'public')) return 'add'
  if (collections.some((one) => one['read'] === 'public')) return 'read'
  // The default of a missing `read` rule depends on how the collection is partitioned (`owner`, `team` or
  // `members`), but always requires an account.
  return collections.some((one) => FOR_PEOPLE.includes(one['read'] ?? 'members')) ? 'people' : 'none'
}

function collectionsInManifest(appJson: string | null | undefined): Record<string, unknown>[] {
  try {
    const app = JSON.parse(appJson ?? '')
    return isRecord(app) && isRecord(app['collections'])
      ? Object.values(app['collections']).filter(isRecord)
      : []
  } catch {
    return []
  }
}
