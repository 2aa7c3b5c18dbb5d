import { useQuery } from '@tanstack/react-query'
import { ticketQuery } from '../../api/project/tickets.ts'
import { versionsQuery } from '../../api/project/versions.ts'
import { readMessage } from './message.ts'

const FRESH_MS = 300_000

/**
 * The title of a version: the ticket it was built for, else the first line of its commit. Null until it is
 * loaded.
 */
export function useVersionTitle(projectId: string, sha: string | null): string | null {
  const versions = useQuery({ ...versionsQuery(projectId), enabled: sha !== null }).data
  const version = versions?.find((one) => one.sha === sha)
  const ticketId = version?.ticketId ?? ''
  const ticket = useQuery({
    ...ticketQuery(projectId, ticketId),
    staleTime: FRESH_MS,
    enabled: ticketId !== '',
  })
  if (version === undefined || (ticketId !== '' && ticket.isPending)) return null
  return ticket.data?.title ?? readMessage(version.message).subject
}
