import type { Version } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { diffQuery, sourceQuery, versionsQuery } from '../../api/project/versions.ts'
import { sourceAt } from './source-at.ts'

/** The files of a version by path. Null for a file whose content the service does not return. */
export type CodeFiles = ReadonlyMap<string, string | null>

export type CodeState =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown; retry: () => void }
  | { kind: 'nothing' }
  | { kind: 'no_version' }
  | { kind: 'ready'; files: CodeFiles; version: Version }

/**
 * Returns the files of the version `sha`, which may be abbreviated, or of the newest version. Only the newest
 * source is loaded in full; an earlier version is computed from its diff.
 */
export function useCode(projectId: string, sha: string | undefined): CodeState {
  const versions = useQuery(versionsQuery(projectId))
  const newest = versions.data?.find((version) => version.current)
  const version = sha === undefined ? newest : versions.data?.find((one) => one.sha.startsWith(sha))
  const isEarlier = version !== undefined && newest !== undefined && version.sha !== newest.sha
  const source = useQuery({
    ...sourceQuery(projectId, newest?.sha ?? ''),
    enabled: newest !== undefined && version !== undefined,
    // When a build adds a version, keep the previous files until the new files are loaded. Otherwise the page would lose its filter and its
    // position. An earlier version is computed from the newest source, so the page of an earlier version waits for that source.
    placeholderData: (before, query) => (!isEarlier && query?.queryKey[1] === projectId ? before : undefined),
  })
  // The source may be newer than the list of versions. The diff to the chosen version must start from the source's own id.
  const base = source.data?.sha ?? newest?.sha ?? ''
  const isOld = isEarlier || (sha !== undefined && version !== undefined && version.sha !== base)
  const diff = useQuery({ ...diffQuery(projectId, version?.sha ?? '', base), enabled: isOld })
  const files = useMemo(() => {
    if (!source.data || (isOld && !diff.data)) return null
    return sourceAt(source.data.files, isOld && diff.data ? diff.data : { files: [] })
  }, [source.data, diff.data, isOld])
  const failed = [versions, source, diff].find((query) => query.isError && query.data === undefined)
  if (failed) return { kind: 'failed', error: failed.error, retry: () => void failed.refetch() }
  if (versions.data?.length === 0) return { kind: 'nothing' }
  if (versions.data && !version) return { kind: 'no_version' }
  return files && version ? { kind: 'ready', files, version } : { kind: 'loading' }
}
