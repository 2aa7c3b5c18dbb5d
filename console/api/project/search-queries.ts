import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

const RESULTS_MAX = 6

/** The projects whose name contains the text; without a text, the newest projects. */
export const projectSearchQuery = (q: string) =>
  queryOptions({
    queryKey: queryKeys.projects.found(q),
    queryFn: ({ signal }) =>
      call(api.listProjects({ query: { ...(q && { q }), limit: RESULTS_MAX }, signal })),
    placeholderData: keepPreviousData,
  })

/** The tickets of a project whose title or body contains the text. */
export const ticketSearchQuery = (projectId: string, q: string) =>
  queryOptions({
    queryKey: queryKeys.tickets.found(projectId, q),
    queryFn: ({ signal }) =>
      call(api.searchTickets({ path: { projectId }, query: { q, limit: RESULTS_MAX }, signal })),
    placeholderData: keepPreviousData,
  })
