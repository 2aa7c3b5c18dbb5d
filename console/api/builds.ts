import { client } from '@slipway/sdk/client/client.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const runQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: ['runs', 'one', projectId, runId],
    queryFn: ({ signal }) =>
      call<{ startedAt: string | null; createdAt: string; finishedAt: string | null }>(
        client.get({ url: `/api/v1/projects/${projectId}/runs/${runId}`, signal }) as never,
      ),
  })

export const cancelBuild = (projectId: string, ticketId: string) =>
  call(client.post({ url: `/api/v1/projects/${projectId}/tickets/${ticketId}/build/cancel` }) as never)

/** Where a ticket's build is started and followed; read by the SDK's stream reader. */
export const buildStreamUrl = (projectId: string, ticketId: string) =>
  new URL(`/api/v1/projects/${projectId}/tickets/${ticketId}/build/stream`, location.origin).href
