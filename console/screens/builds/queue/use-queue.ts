import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { addToQueue, queueQuery, removeFromQueue } from '../../../api/project/queue.ts'
import { withoutTicket } from './queue-line.ts'

/** Adds tickets to the build queue. The response has a reason for each skipped ticket. */
export function useAddToQueue(projectId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ticketIds: string[]) => addToQueue(projectId, ticketIds),
    onSettled: () => refetchQueue(client, projectId),
  })
}

/** Removes a ticket from the queue at once and restores it when the service refuses. */
export function useRemoveFromQueue(projectId: string) {
  const client = useQueryClient()
  const { queryKey } = queueQuery(projectId)
  return useMutation({
    mutationFn: (ticketId: string) => removeFromQueue(projectId, ticketId),
    onMutate: async (ticketId) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<BuildQueue>(queryKey)
      client.setQueryData<BuildQueue>(queryKey, (queue) => queue && withoutTicket(queue, ticketId))
      return { before }
    },
    onError: (_error, _ticketId, snapshot) => client.setQueryData(queryKey, snapshot?.before),
    onSettled: () => refetchQueue(client, projectId),
  })
}

async function refetchQueue(client: QueryClient, projectId: string): Promise<void> {
  void client.invalidateQueries({ queryKey: queryKeys.tickets.all })
  await client.invalidateQueries({ queryKey: queueQuery(projectId).queryKey })
}
