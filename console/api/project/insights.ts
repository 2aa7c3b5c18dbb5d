import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The service caches these figures, which are per hour, so fetching them more often returns the same figures. */
const FIGURES_FRESH_MS = 60_000

/**
 * Requests and errors of the live app for each of the last 24 hours. Without a connection the response contains the reason and no figures.
 */
export const analyticsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.insights.analytics(projectId),
    queryFn: ({ signal }) => call(api.getAnalytics({ path: { projectId }, signal })),
    staleTime: FIGURES_FRESH_MS,
  })

/** The errors of the live app in the last 24 hours. Equal errors are grouped, and the latest group comes first. */
export const liveErrorsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.insights.errors(projectId),
    queryFn: ({ signal }) => call(api.listLiveErrors({ path: { projectId }, signal })),
  })

/** Requests and errors of the last 24 hours, for every live project with at least one request. */
export const trafficQuery = () =>
  queryOptions({
    queryKey: queryKeys.insights.traffic,
    queryFn: ({ signal }) => call(api.getTraffic({ signal })),
    staleTime: FIGURES_FRESH_MS,
  })

/** Creates a bug ticket of high priority with the given title and body. For a ticket from a sentence see `captureTicket`. */
export const createBugTicket = (projectId: string, ticket: { title: string; body: string }) =>
  call(api.createTicket({ path: { projectId }, body: { ...ticket, type: 'bug', priority: 'high' } }))
