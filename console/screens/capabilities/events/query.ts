import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { GetEventsSummaryResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

type EventSums = Extract<GetEventsSummaryResponses[200]['data'], { state: 'ok' }>
export type EventCount = EventSums['items'][number]
/** The counted events of one day in UTC. */
export type EventDay = EventSums['days'][number]

/** The event counts of the live app: one row per event name and group, the most frequent first. */
export const eventsSummaryQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'events'),
    queryFn: ({ signal }) => call(api.getEventsSummary({ path: { projectId }, signal })),
  })
