import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'
import { versionsQuery } from '../../api/project/versions.ts'
import { readMessage } from './message.ts'

const FRESH_MS = 300_000

/**
 * The title of a version: the title of its ticket, otherwise the first line of its commit. Null until the title is loaded, and for an
 * unknown version.
 */
export function useVersionTitle(
  projectId: string,
  sha: string | null,
): { title: string | null; isLoading: boolean } {
  const versions = useQuery({ ...versionsQuery(projectId), enabled: sha !== null })
  const version = versions.data?.find((one) => one.sha === sha)
  const ticketId = version?.ticketId ?? ''
  const ticket = useQuery({
    ...ticketQuery(projectId, ticketId),
    staleTime: FRESH_MS,
    enabled: ticketId !== '',
  })
  const isLoading = versions.isLoading || ticket.isLoading
  if (version === undefined || isLoading) return { title: null, isLoading }
  return { title: ticket.data?.title ?? readMessage(version.message).subject, isLoading }
}
