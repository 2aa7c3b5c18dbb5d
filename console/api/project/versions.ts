import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call, sendBackup } from '../request/client.ts'
import { blobOf } from '../request/blob-of.ts'

export type { VersionDiff }

/** All commits of a project, newest first. */
export const versionsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.versions.list(projectId),
    queryFn: ({ signal }) => call(api.listVersions({ path: { projectId }, signal })),
  })

/** The difference between a version and its predecessor, or another base. Never fetched again, because a commit never changes. */
export const diffQuery = (projectId: string, sha: string, base?: string) =>
  queryOptions({
    queryKey: queryKeys.versionDiff(projectId, sha, base ?? null),
    queryFn: ({ signal }) =>
      call(api.getVersionDiff({ path: { projectId, sha }, query: { ...(base && { base }) }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * The files of the newest version and its id (`sha`). `head`, the newest version as the page knows it, is in the query key, so the files of
 * a new version are fetched. `sha` differs from `head` when a build has added a version since the page read `head`.
 */
export const sourceQuery = (projectId: string, head: string) =>
  queryOptions({
    queryKey: queryKeys.versionSource(projectId, head),
    queryFn: ({ client, signal }) => readSource(client, { projectId, head, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/**
 * The response does not name its version. So read the list of versions after the files, and read both again until no build has added a
 * version in between.
 */
async function readSource(
  client: QueryClient,
  from: { projectId: string; head: string; signal: AbortSignal },
) {
  const { projectId, signal } = from
  const path = { projectId }
  for (let sha = from.head; ;) {
    const source = await call(api.getSource({ path, signal }))
    const versions = await call(api.listVersions({ path, signal }))
    const newest = versions.find(({ current }) => current)?.sha ?? sha
    if (newest === sha) return source && { ...source, sha }
    client.setQueryData(versionsQuery(projectId).queryKey, versions)
    sha = newest
  }
}

/** What happened to a project, newest first: builds, reverts, deployments, rollbacks and renames. */
export const historyQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.versions.history(projectId),
    queryFn: ({ signal }) => call(api.listHistory({ path: { projectId }, signal })),
  })

/** The npm packages that the newest version adds to those of every app. */
export const packagesQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.versions.packages(projectId),
    queryFn: ({ signal }) => call(api.listPackages({ path: { projectId }, signal })),
  })

/** Downloads the newest version as a zip file. Throws `not_found` before the first build. */
export async function readSourceZip(projectId: string): Promise<Blob> {
  const { data } = await api.getSourceZip({ path: { projectId }, parseAs: 'blob' })
  return blobOf(data)
}

/** Reverts a project: commits the files of an earlier version as a new version. */
export const revertProject = (projectId: string, sha: string) =>
  call(api.revertProject({ path: { projectId, sha } }))

/**
 * Pushes the code to the connected code host and creates a private repository if needed. Throws `conflict` when the branch there has
 * commits of others.
 */
export const backUpProject = (projectId: string) =>
  call(api.backUpProject({ path: { projectId }, fetch: sendBackup }))
