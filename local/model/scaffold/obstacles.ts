import { type Access, accessIn, isLimited, ACCESS_RULES } from './access.ts'
import { hasOwnAdding } from './adding-app.ts'
import { type Files, hasForeignRoutes, isOwnPage } from './changes.ts'
import type { Manifest } from './manifest.ts'
import { hasFile } from './fields.ts'
import type { Intent } from './intent.ts'

/**
 * Why the access of a list cannot be changed. `moved`: existing records would have to be assigned to single
 * people or teams. `foreign`: its rules, page or routes were edited or written by a person. `unowned`: the
 * list has a limit, so its records have no owner who could change them.
 */
export type Obstacle = { is: 'moved' | 'foreign' | 'unowned'; collection: string }

/** Returns why one of these lists cannot get this access; null when all can. */
export function obstacleOf(
  files: Files,
  manifest: Manifest,
  access: Access,
  lists: string[],
): Obstacle | null {
  for (const collection of lists) {
    const before = accessIn(manifest, collection)
    if (before === null) return { is: 'foreign', collection }
    if (ACCESS_RULES[before].partition !== ACCESS_RULES[access].partition) return { is: 'moved', collection }
    if (access === 'authors' && before !== 'authors' && isLimited(manifest, collection))
      return { is: 'unowned', collection }
    // Refuse when files were edited: an edited page would be overwritten, and an edited route would remain and bypass the new rules.
    const isOwn =
      isOwnPage(files, manifest, collection) &&
      hasOwnAdding(files, manifest, collection) &&
      !hasForeignRoutes(files, collection)
    if (!isOwn) return { is: 'foreign', collection }
  }
  return null
}

/**
 * Returns why an existing list cannot have files; null when it can. `open`: visitors use the list without
 * signing in, and they cannot upload. `limited`: its routes write with the rights of the app, so a person
 * could add a record with the files of others.
 */
export function uploadObstacle(manifest: Manifest, intent: Intent): 'open' | 'limited' | null {
  if (intent.kind !== 'more-fields' || !hasFile(intent.fields)) return null
  if (isLimited(manifest, intent.collection)) return 'limited'
  return accessIn(manifest, intent.collection) === 'open' ? 'open' : null
}
