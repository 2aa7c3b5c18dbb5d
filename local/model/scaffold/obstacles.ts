import { type AccessLevel, accessIn, isLimited, ACCESS_RULES } from './reading/access.ts'
import { hasUneditedAddRoute } from './writing/new-record-app.ts'
import { type AppFiles, hasForeignRoutes, isOwnPage, mayWriteTest } from './writing/changes.ts'
import type { ScaffoldManifest } from './writing/manifest.ts'
import { hasFile } from './reading/fields.ts'
import type { Intent } from './reading/intent.ts'

/**
 * Why the access of a list cannot be changed. `moved`: existing records would have to be assigned to single people or teams. `foreign`: the
 * list has rules or fields that the scaffold does not write, or its page, test or routes were edited or written by a person. `unowned`:
 * only authors could change records, but existing records have no owner, because routes of the app added them (the list has a limit).
 */
export type AccessObstacle = { is: 'moved' | 'foreign' | 'unowned'; collection: string }

/** Returns the first list that cannot get this access, and the reason; null when all lists can get it. */
export function accessObstacle(
  files: AppFiles,
  manifest: ScaffoldManifest,
  access: AccessLevel,
  lists: string[],
): AccessObstacle | null {
  for (const collection of lists) {
    const before = accessIn(manifest, collection)
    if (before === null) return { is: 'foreign', collection }
    if (ACCESS_RULES[before].partition !== ACCESS_RULES[access].partition) return { is: 'moved', collection }
    if (access === 'authors' && before !== 'authors' && isLimited(manifest, collection))
      return { is: 'unowned', collection }
    // Refuse when files were edited: an edited page would be overwritten, and an edited route would remain and bypass the new rules.
    const isUnedited =
      isOwnPage(files, manifest, collection) &&
      mayWriteTest(files, manifest, collection) &&
      hasUneditedAddRoute(files, manifest, collection) &&
      !hasForeignRoutes(files, collection)
    if (!isUnedited) return { is: 'foreign', collection }
  }
  return null
}

/**
 * Returns the reason why an existing list cannot get a file field; null when it can. `open`: visitors use the list without signing in, and
 * they cannot upload. `limited`: the list's routes write with the app's rights, so a person could add a record with other people's files.
 */
export function uploadObstacle(manifest: ScaffoldManifest, intent: Intent): 'open' | 'limited' | null {
  if (intent.kind !== 'more-fields' || !hasFile(intent.fields)) return null
  if (isLimited(manifest, intent.collection)) return 'limited'
  return accessIn(manifest, intent.collection) === 'open' ? 'open' : null
}
