import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The figures are an hour fine and the service keeps them for a moment: more often tells nothing new. */
const FIGURES_FRESH_MS = 60_000

export const analyticsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.insights.analytics(projectId),
    queryFn: ({ signal }) => call(api.getAnalytics({ path: { projectId }, signal })),
    staleTime: FIGURES_FRESH_MS,
  })

export const liveErrorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.insights.errors(projectId),
    queryFn: ({ signal }) => call(api.listLiveErrors({ path: { projectId }, signal })),
  })

/** The last day of every live project that had any request. */
export const trafficQuery = () =>
  queryOptions({
    queryKey: queryKeys.insights.traffic,
    queryFn: ({ signal }) => call(api.getTraffic({ signal })),
    staleTime: FIGURES_FRESH_MS,
  })

/** A ticket with its text as given; nothing is captured from a sentence. */
export const createBugTicket = (projectId: string, ticket: { title: string; body: string }) =>
  call(api.createTicket({ path: { projectId }, body: { ...ticket, type: 'bug', priority: 'high' } }))
