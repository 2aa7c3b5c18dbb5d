import { href } from '../../../routes.ts'
import type { FileRow } from '../follow/build-state.ts'

/** The files a check looked at: those of a commit, or those of a build that was never committed. */
export interface CheckedSource {
  projectId: string
  sha: string | null
  changed: FileRow[]
}

/**
 * Where a checked line can be read. A build without a commit has its own copy of what it changed, and nobody else
 * has it: those lines lead nowhere, all others to the newest version.
 */
export function codeHref({ projectId, sha, changed }: CheckedSource, path: string, line: number | null) {
  if (sha === null && changed.some((file) => file.path === path)) return null
  return href.code(projectId, { path, ...(sha && { sha }) }, line ? `L${line}` : undefined)
}
