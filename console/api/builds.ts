import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'
import type { Run } from './types.ts'

export const runQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: ['runs', 'one', projectId, runId],
    queryFn: ({ signal }) => request<Run>('GET', `/projects/${projectId}/runs/${runId}`, { signal }),
  })

export const cancelBuild = (projectId: string, ticketId: string) =>
  request<unknown>('POST', `/projects/${projectId}/tickets/${ticketId}/build/cancel`)

/** Where a ticket's build is started and followed; read by the SDK's stream reader. */
export const buildStreamUrl = (projectId: string, ticketId: string) =>
  new URL(`/api/v1/projects/${projectId}/tickets/${ticketId}/build/stream`, location.origin).href
