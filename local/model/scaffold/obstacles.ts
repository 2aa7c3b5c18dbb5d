import { type Access, accessIn, isLimited, RULES } from './access.ts'
import { hasOwnAdding } from './adding-app.ts'
import { type Files, hasForeignRoutes, isOwnPage, type Manifest } from './changes.ts'
import { hasFile } from './fields.ts'
import type { Intent } from './intent.ts'

/**
 * Why the rules of a list cannot be changed. `moved`: its records would need an owner. `foreign`: its rules, page or routes are
 * not from this program. `unowned`: its limit keeps no owner, and without one no author could change a record.
 */
export type Obstacle = { is: 'moved' | 'foreign' | 'unowned'; collection: string }

/** Returns null when these lists can get this access. */
export function obstacleOf(
  files: Files,
  manifest: Manifest,
  access: Access,
  lists: string[],
): Obstacle | null {
  for (const collection of lists) {
    const before = accessIn(manifest, collection)
    if (before === null) return { is: 'foreign', collection }
    if (RULES[before].partition !== RULES[access].partition) return { is: 'moved', collection }
    if (access === 'authors' && before !== 'authors' && isLimited(manifest, collection))
      return { is: 'unowned', collection }
    // An edited page would be overwritten. Edited routes would remain, and they write past the rules.
    const isOwn =
      isOwnPage(files, manifest, collection) &&
      hasOwnAdding(files, manifest, collection) &&
      !hasForeignRoutes(files, collection)
    if (!isOwn) return { is: 'foreign', collection }
  }
  return null
}

/**
 * Returns why an existing list cannot have files; null when it can. `open`: visitors of an app without accounts cannot upload.
 * `limited`: its routes write as the app itself, so a record could name the files of others.
 */
export function uploadObstacle(manifest: Manifest, intent: Intent): 'open' | 'limited' | null {
  if (intent.kind !== 'more-fields' || !hasFile(intent.fields)) return null
  if (isLimited(manifest, intent.collection)) return 'limited'
  return accessIn(manifest, intent.collection) === 'open' ? 'open' : null
}
