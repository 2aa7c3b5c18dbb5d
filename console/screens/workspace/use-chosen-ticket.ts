import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { isNotFound } from '../../api/request/query-client.ts'
import { recentTicketsQuery, ticketQuery } from '../../api/project/tickets.ts'
import { chooseTicket } from './selection.ts'

export interface ChosenTicket {
  ticket: Ticket | null
  /** Whether the URL names a ticket that is not in this project. */
  isMissing: boolean
  isPending: boolean
  /** The error of the ticket or of the list of recent tickets. Null while they load, and for a missing ticket. */
  failure: { error: Error; retry: () => unknown } | null
}

/** The ticket on screen: the one in the URL. When the URL names no ticket and `isGuessed` is set, `chooseTicket` decides. */
export function useChosenTicket(
  projectId: string,
  wanted: string | undefined,
  isGuessed: boolean,
): ChosenTicket {
  const recent = useQuery({ ...recentTicketsQuery(projectId), enabled: isGuessed && wanted === undefined })
  const fallback = isGuessed && wanted === undefined ? chooseTicket(recent.data ?? []) : null
  const id = wanted ?? fallback?.id
  const one = useQuery({
    ...ticketQuery(projectId, id ?? ''),
    enabled: id !== undefined,
    ...(fallback && { placeholderData: fallback }),
  })
  const ticket = (id === undefined ? null : one.data) ?? null
  const isMissing = isNotFound(one.error)
  const isPending = id === undefined ? isGuessed && recent.isPending : one.isPending
  const { error, refetch } = id === undefined ? recent : one
  return useMemo(() => {
    const failure = error && !ticket && !isMissing ? { error, retry: refetch } : null
    return { ticket, isMissing, isPending, failure }
  }, [ticket, isMissing, isPending, error, refetch])
}
