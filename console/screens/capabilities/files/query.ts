import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'
import { blobOf } from '../../../api/request/blob-of.ts'

/** The files that people and code of the live app stored, by key. */
export const fileObjectsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.live(projectId, 'files'),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.listFileObjects({
          path: { projectId },
          query: { ...(pageParam && { cursor: pageParam }) },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export async function readFileObject(projectId: string, key: string): Promise<Blob> {
  const { data } = await api.getFileObject({ path: { projectId }, query: { key }, parseAs: 'blob' })
  return blobOf(data)
}
