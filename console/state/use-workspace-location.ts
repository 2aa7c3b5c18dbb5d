import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { TicketFilter } from '../api/types.ts'
import { href, type Pane, type TicketView, type WorkspaceSearch, type WorkTab } from '../routes.ts'
import { cleanFilter } from './tickets/ticket-filter.ts'

/** What the workspace shows, as its URL says. */
export interface WorkspaceLocation {
  ticket: string | undefined
  /** Undefined when the URL does not name a tab. The page then shows the tab that fits the ticket. */
  tab: WorkTab | undefined
  pane: Pane
  view: TicketView
  filter: TicketFilter
}
/** Navigates to another view of the workspace. `replace` adds no history entry, for example while a search is typed. */
export type NavigateWorkspace = (to: WorkspaceSearch, options?: { replace: boolean }) => void

/** Reads what the workspace shows from the URL, and changes it there, so that reloading, links and the back button keep the place. */
export function useWorkspaceLocation(projectId: string): { place: WorkspaceLocation; go: NavigateWorkspace } {
  const search = useSearch({ from: '/app/projects/$projectId' })
  const router = useRouter()
  const go = useCallback<NavigateWorkspace>(
    (to, options) => {
      // Use the router's latest URL, which may be newer than the rendered one: two changes may come before the next render. When the user
      // has left the page, a late change must not navigate back to the page.
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
