import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { GetFlowRunResponses, ListFlowRunsResponses } from '@slipway/sdk/client/types.gen.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export type FlowRun = GetFlowRunResponses[200]['data']
export type FlowStep = FlowRun['steps'][number]
export type ListedRun = ListFlowRunsResponses[200]['data']['items'][number]

/** The runs of the live app's flows, the newest first. */
export const flowRunsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.live(projectId, 'flow'),
    queryFn: ({ signal, pageParam }) =>
      call(
        api.listFlowRuns({
          path: { projectId },
          query: pageParam === '' ? {} : { cursor: pageParam },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  })

export const flowRunQuery = (projectId: string, flowRunId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'flow', flowRunId),
    queryFn: ({ signal }) => call(api.getFlowRun({ path: { projectId, flowRunId }, signal })),
    staleTime: 0,
  })

export const cancelFlowRun = (projectId: string, flowRunId: string) =>
  call(api.cancelFlowRun({ path: { projectId, flowRunId } }))
