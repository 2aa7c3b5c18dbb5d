import { QuestionIcon } from '@phosphor-icons/react'
import { ticketsText } from '../../../text/tickets.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'

/** Shown when the URL names a ticket that is not in this project. */
export function TicketMissing() {
  return <EmptyNote icon={<QuestionIcon />} title={ticketsText.missing} hint={ticketsText.missingHint} />
}
