import { ListChecksIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import type { NavigateWorkspace } from '../../workspace/use-workspace-location.ts'
import { usePane } from '../state/pane-context.ts'
import { isNarrowed, NO_FILTER } from '../state/ticket-filter.ts'

export function EmptyTicketList({ go }: { go: NavigateWorkspace }) {
  const { filter } = usePane()
  if (!isNarrowed(filter))
    return (
      <EmptyNote icon={<ListChecksIcon />} title={workText.tickets.empty} hint={workText.tickets.emptyHint} />
    )
  return (
    <EmptyNote
      icon={<MagnifyingGlassIcon />}
      title={ticketsText.noMatch}
      hint={ticketsText.noMatchHint}
      action={
        <Button size="sm" onClick={() => go(NO_FILTER)}>
          {ticketsText.clear}
        </Button>
      }
    />
  )
}
