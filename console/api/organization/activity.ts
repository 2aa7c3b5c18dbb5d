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

export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: queryKeys.activity(filter),
    queryFn: ({ pageParam, signal }) =>
      call(api.listActivity({ query: { ...filter, ...(pageParam && { cursor: pageParam }) }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export async function exportActivity(filter: ActivityFilter): Promise<Blob> {
  const { data } = await api.exportActivity({ query: filter, parseAs: 'blob', fetch: sendDownload })
  return blobOf(data)
}
