import { href } from '../../../routes.ts'
import type { FileRow } from '../../../state/builds/build-state.ts'

/** The source that a check ran on. `sha` is null for a build that was not committed. */
export interface CheckedSource {
  projectId: string
  sha: string | null
  changed: FileRow[]
}

/**
 * Returns the link to a line of a checked file. Null for a file that an uncommitted build changed, because the changed file is not stored.
 * Without a commit, unchanged files link to the newest version.
 */
export function codeHref({ projectId, sha, changed }: CheckedSource, path: string, line: number | null) {
  if (sha === null && changed.some((file) => file.path === path)) return null
  return href.code(projectId, { path, ...(sha && { sha }) }, line ? `L${line}` : undefined)
}
