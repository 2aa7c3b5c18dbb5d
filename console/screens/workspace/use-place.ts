import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { href, type Pane, type WorkspaceSearch, type WorkTab } from '../../routes.ts'

export interface Place {
  ticket: string | undefined
  tab: WorkTab
  pane: Pane
}
export type Go = (to: WorkspaceSearch) => void

/** What of the workspace is on screen, read from the address and changed by going elsewhere. */
export function useWorkspacePlace(projectId: string): { place: Place; go: Go } {
  const search = useSearch({ from: '/app/projects/$projectId' })
  const router = useRouter()
  const go = useCallback<Go>(
    (to) => {
      const next = { ...search, ...to }
      router.history.push(href.project(projectId, next))
    },
    [router, projectId, search],
  )
  return { place: { ticket: search.ticket, tab: search.tab ?? 'build', pane: search.pane ?? 'work' }, go }
}
