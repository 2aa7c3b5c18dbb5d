import { useEffect } from 'react'
import type { WorkTab } from '../../routes.ts'
import { afterPaint } from '../../ui/browser/after-paint.ts'
import type { ChosenTicket } from './use-chosen-ticket.ts'
import type { NavigateWorkspace, WorkspaceLocation } from '../../state/use-workspace-location.ts'

/**
 * Writes the ticket and tab that the page itself chose into the URL, so that a ticket added later does not replace the one on screen.
 * Without a ticket the tab is the plan. Pass null for a board, which shows a ticket only when the user opens one.
 */
export function useImpliedSelection(
  place: WorkspaceLocation | null,
  tab: WorkTab | undefined,
  { ticket, isPending }: ChosenTicket,
  go: NavigateWorkspace,
): void {
  const impliedTab = place && !place.tab ? tab : undefined
  const impliedTicket = place && !isPending && !place.ticket && tab !== 'plan' ? ticket?.id : undefined
  useEffect(() => {
    if (impliedTab === undefined && impliedTicket === undefined) return
    const implied = {
      ...(impliedTab && { tab: impliedTab }),
      ...(impliedTicket && { ticket: impliedTicket }),
    }
    return afterPaint(() => go(implied, { replace: true }))
  }, [impliedTab, impliedTicket, go])
}
