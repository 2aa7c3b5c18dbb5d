import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import { queryClient } from '../request/query-client.ts'
import { type Thread, withLatestMessages, withOlderMessages } from './thread.ts'

const PAGE_SIZE = 30
/** The polling interval of the newest messages while the tab is visible, because other members may write in the thread. */
const MESSAGES_REFETCH_MS = 15_000

const readPage = (projectId: string, signal: AbortSignal | undefined, cursor?: string) =>
  call(
    api.listPlanMessages({
      path: { projectId },
      query: { limit: PAGE_SIZE, ...(cursor && { cursor }) },
      ...(signal && { signal }),
    }),
  )

/** The loaded part of the plan thread. A refetch updates its newest page and keeps the older pages. */
export const threadQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.plan.thread(projectId),
    queryFn: async ({ signal }): Promise<Thread> => {
      const latest = await readPage(projectId, signal)
      return withLatestMessages(queryClient.getQueryData<Thread>(queryKeys.plan.thread(projectId)), latest)
    },
    refetchInterval: MESSAGES_REFETCH_MS,
    staleTime: 0,
  })

/** Loads the page before the oldest loaded one. Does nothing when the whole thread is loaded. */
export async function readOlder(projectId: string): Promise<void> {
  const { queryKey } = threadQuery(projectId)
  const cursor = queryClient.getQueryData(queryKey)?.older
  if (!cursor) return
  const page = await readPage(projectId, undefined, cursor)
  queryClient.setQueryData(queryKey, (known) => known && withOlderMessages(known, page, cursor))
}

export const readmeQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.plan.readme(projectId),
    queryFn: ({ signal }) => call(api.getReadme({ path: { projectId }, signal })),
  })

/**
 * The URL that the stream reader of the SDK requests. The request sends a message to the plan agent and returns the stream of the reply.
 */
export const planStreamUrl = (projectId: string) =>
  new URL(`/api/v1/projects/${encodeURIComponent(projectId)}/plan/stream`, location.origin).href

export const stopPlan = (projectId: string) => call(api.stopPlan({ path: { projectId } }))
