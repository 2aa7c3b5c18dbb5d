import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export const videoSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'video', 'spend'),
    queryFn: ({ signal }) => call(api.getVideoSpend({ path: { projectId }, signal })),
  })

/** The videos of the live app, the newest first. */
export const videosQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'video', 'list'),
    queryFn: ({ signal }) => call(api.listVideos({ path: { projectId }, query: { limit: 1000 }, signal })),
  })
