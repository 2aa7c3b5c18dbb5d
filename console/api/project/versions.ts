import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type { VersionDiff }

/** All commits of a project, newest first. */
export const versionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.versions.list(projectId),
    queryFn: ({ signal }) => call(api.listVersions({ path: { projectId }, signal })),
  })

/** What differs between a version and the one before it, or any other. Commits never change. */
export const diffQuery = (projectId: string, sha: string, base?: string) =>
  queryOptions({
    queryKey: queryKeys.versionDiff(projectId, sha, base ?? null),
    queryFn: ({ signal }) =>
      call(api.getVersionDiff({ path: { projectId, sha }, query: { ...(base && { base }) }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The files of the newest version; `head` is that version, so that each build has its own key. */
export const sourceQuery = (projectId: string, head: string) =>
  queryOptions({
    queryKey: queryKeys.versionSource(projectId, head),
    queryFn: ({ signal }) => call(api.getSource({ path: { projectId }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What happened to a project, newest first. */
export const historyQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.versions.history(projectId),
    queryFn: ({ signal }) => call(api.listHistory({ path: { projectId }, signal })),
  })

/** The newest version with all its files as one archive. */
export async function readSourceZip(projectId: string): Promise<Blob> {
  const { data } = await api.getSourceZip({ path: { projectId }, parseAs: 'blob' })
  // The generated type says text; the bytes are not to be read as any.
  return data as unknown as Blob
}

/** A new commit with the files of an earlier one. */
export const revertProject = (projectId: string, sha: string) =>
  call(api.revertProject({ path: { projectId, sha } }))

export const backUpProject = (projectId: string) => call(api.backUpProject({ path: { projectId } }))
