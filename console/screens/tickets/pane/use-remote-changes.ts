import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { ticketStatsQuery } from '../../../api/project/tickets.ts'

/**
 * Refetches the ticket lists when another member has changed them. A project has no event stream, so the counts and the queue are polled.
 * The lists are fetched only when the counts or the queue have changed.
 */
export function useRemoteChanges(projectId: string): void {
  const client = useQueryClient()
  useQuery(ticketStatsQuery(projectId))
  useQuery(queueQuery(projectId))
  useEffect(() => {
    const keys = [ticketStatsQuery(projectId).queryKey, queueQuery(projectId).queryKey]
    const known = new Map(keys.map((key) => [hashKey(key), JSON.stringify(client.getQueryData(key))]))
    return client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return
      const { queryHash, state } = event.query
      if (!known.has(queryHash)) return
      const before = known.get(queryHash)
      const now = JSON.stringify(state.data)
      known.set(queryHash, now)
      // `manual` means that this page set the data after its own change, which the lists already show.
      if (before === undefined || before === now || event.action.manual) return
      void client.invalidateQueries({
        queryKey: queryKeys.tickets.all,
        predicate: ({ queryKey }) => queryKey[1] !== 'stats',
      })
    })
  }, [client, projectId])
}
