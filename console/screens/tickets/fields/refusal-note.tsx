import { WarningCircleIcon, XIcon } from '@phosphor-icons/react'
import { use } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import { clearRefusal, useRefusal } from '../../../state/tickets/refusals.ts'

export function RefusalNote({ ticketId }: { ticketId: string }) {
  const error = useRefusal(ticketId)
  // The details of the ticket, which are not in the tickets pane, have the same note and announce it.
  const isAnnounced = use(PaneContext)?.detailed !== ticketId
  if (error === null) return null
  const { sentence, code, requestId } = describeFailure(error)
  return (
    <div
      role={isAnnounced ? 'alert' : undefined}
      className="relative z-10 mt-1.5 flex items-start gap-1.5 rounded-md bg-kumo-danger-tint py-1 pr-1 pl-2 text-xs text-kumo-default"
    >
      <WarningCircleIcon
        weight="fill"
        className="mt-[3px] size-3.5 shrink-0 text-removed"
        aria-hidden="true"
      />
      <p className="min-w-0 flex-1 self-center break-words">
        {ticketsText.refused}: {sentence} <code className="font-mono text-kumo-subtle">{code}</code>
      </p>
      {requestId && <CopyButton value={requestId} label={text.common.copyRequestId} size="xs" />}
      <button
        type="button"
        aria-label={ticketsText.dismiss}
        onClick={() => clearRefusal(ticketId)}
        className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-sm hover:bg-kumo-fill"
      >
        <XIcon aria-hidden="true" />
      </button>
    </div>
  )
}
