import { href } from '../../../routes.ts'
import type { FileRow } from '../follow/build-state.ts'

/** The source that a check ran on: a commit, or the files of a build that was never committed. */
export interface CheckedSource {
  projectId: string
  sha: string | null
  changed: FileRow[]
}

/**
 * The link to a checked line. The files that an uncommitted build changed are stored nowhere, so their lines
 * have no link; all others link to the newest version.
 */
export function codeHref({ projectId, sha, changed }: CheckedSource, path: string, line: number | null) {
  if (sha === null && changed.some((file) => file.path === path)) return null
  return href.code(projectId, { path, ...(sha && { sha }) }, line ? `L${line}` : undefined)
}
