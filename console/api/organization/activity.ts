import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call, sendDownload } from '../request/client.ts'
import { blobOf } from '../request/blob-of.ts'

/** The filter of the activity log: a project and a time range in milliseconds since 1970. */
export interface ActivityFilter {
  projectId?: string
  from?: number
  to?: number
}

/** The changes in connected accounts that match the filter, in pages, newest first. */
export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.activity(filter),
    queryFn: ({ pageParam, signal }) =>
      call(api.listActivity({ query: { ...filter, ...(pageParam && { cursor: pageParam }) }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Downloads every matching change as CSV, not only the loaded pages. The service limits exports to three a minute (`rate_limited`). */
export async function exportActivity(filter: ActivityFilter): Promise<Blob> {
  const { data } = await api.exportActivity({ query: filter, parseAs: 'blob', fetch: sendDownload })
  return blobOf(data)
}
