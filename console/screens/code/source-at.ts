import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'

export type SourceFiles = Readonly<Record<string, string>>

/**
 * Returns the files of an earlier version, computed from the files of the newest version. `diff` has the newest
 * version as its base, so its changes lead back to the earlier version. A file whose content the service did
 * not return is null.
 */
export function sourceAt(newest: SourceFiles, diff: Pick<VersionDiff, 'files'>): Map<string, string | null> {
  const files = new Map<string, string | null>(Object.entries(newest))
  for (const { path, status, after } of diff.files) {
    if (status === 'removed') files.delete(path)
    else files.set(path, after)
  }
  return files
}
