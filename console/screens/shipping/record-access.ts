import { shipText } from '../../text/shipping.en.ts'

/** What visitors may do with the records of an app, who are all who have its address. */
export type RecordAccess = 'change' | 'read' | 'none'

/** Who can do what with the records, in a sentence; an app on this machine is opened by nobody else yet. */
export const accessSentence = (access: RecordAccess, isLocal: boolean): string =>
  access === 'change' && isLocal ? shipText.openedLater : shipText.access[access]

/** Reads it from the app's `app.json`; null when the app keeps no records, or the text is none. */
export function recordAccess(appJson: string | null | undefined): RecordAccess | null {
  const collections = collectionsOf(appJson)
  if (collections.length === 0) return null
  if (collections.some(({ write }) => write === 'public')) return 'change'
  return collections.some(({ read }) => read === 'public') ? 'read' : 'none'
}

function collectionsOf(appJson: string | null | undefined): { read?: unknown; write?: unknown }[] {
  try {
    const { collections } = JSON.parse(appJson ?? '') as { collections?: Record<string, object> }
    return Object.values(collections ?? {})
  } catch {
    return []
  }
}
