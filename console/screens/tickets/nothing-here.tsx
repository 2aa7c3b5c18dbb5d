import { ListChecksIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import { ticketsText } from '../../text/tickets.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { useDesk } from './desk.ts'
import { isNarrowed } from './ticket-filter.ts'

/** No ticket yet, or none that matches: each with what to do next. */
export function NothingHere() {
  const { filter } = useDesk()
  return isNarrowed(filter) ? (
    <EmptyNote icon={<MagnifyingGlassIcon />} title={ticketsText.noMatch} hint={ticketsText.noMatchHint} />
  ) : (
    <EmptyNote icon={<ListChecksIcon />} title={workText.tickets.empty} hint={workText.tickets.emptyHint} />
  )
}
