import { useEffect } from 'react'
import type { WorkTab } from '../../routes.ts'
import { afterPaint } from '../../ui/browser/after-paint.ts'
import type { ChosenTicket } from './use-chosen-ticket.ts'
import type { NavigateWorkspace, WorkspaceLocation } from './use-workspace-location.ts'

/**
 * Writes an implied ticket and tab into the URL, so that a ticket added later does not replace the one on
 * screen. Without anything to build the tab is the plan. A board (null) implies nothing.
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
