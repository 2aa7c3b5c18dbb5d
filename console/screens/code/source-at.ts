import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'

export type Files = Readonly<Record<string, string>>

/**
 * The files of an earlier version: those of the newest with the difference applied. `diff` is the earlier
 * version compared to the newest as base. A content that the service left out is null.
 */
export function sourceAt(newest: Files, diff: Pick<VersionDiff, 'files'>): Map<string, string | null> {
  const files = new Map<string, string | null>(Object.entries(newest))
  for (const { path, status, after } of diff.files) {
    if (status === 'removed') files.delete(path)
    else files.set(path, after)
  }
  return files
}
