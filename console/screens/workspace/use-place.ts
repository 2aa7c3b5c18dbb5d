import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { TicketFilter } from '../../api/types.ts'
import { href, type Pane, type TicketView, type WorkspaceSearch, type WorkTab } from '../../routes.ts'
import { cleanFilter } from '../tickets/state/ticket-filter.ts'

export interface Place {
  ticket: string | undefined
  /** Not said by the address: what fits the ticket. */
  tab: WorkTab | undefined
  pane: Pane
  view: TicketView
  filter: TicketFilter
}
/** Goes to another view; `replace` leaves no step to come back to, as while a search is typed. */
export type Go = (to: WorkspaceSearch, options?: { replace: boolean }) => void

/** What of the workspace is on screen, read from the address and changed by going elsewhere. */
export function useWorkspacePlace(projectId: string): { place: Place; go: Go } {
  const search = useSearch({ from: '/app/projects/$projectId' })
  const router = useRouter()
  const go = useCallback<Go>(
    (to, options) => {
      // The address may be ahead of what is on screen: two changes can come before the page is drawn again, and who
      // has gone to another page is not brought back by what arrives only now.
      const now = router.latestLocation
      if (now.pathname.replace(/\/$/, '') !== href.project(projectId)) return
      const path = href.project(projectId, { ...(now.search as WorkspaceSearch), ...to })
      if (options?.replace) router.history.replace(path)
      else router.history.push(path)
    },
    [router, projectId],
  )
  const { q, status, type, priority, label } = search
  const filter = useMemo(
    () => cleanFilter({ q, status, type, priority, label } as TicketFilter),
    [q, status, type, priority, label],
  )
  const place = {
    ticket: search.ticket,
    tab: search.tab,
    pane: search.pane ?? (search.view && !search.ticket ? 'tickets' : 'work'),
    view: search.view ?? 'list',
    filter,
  }
  return { place, go }
}
