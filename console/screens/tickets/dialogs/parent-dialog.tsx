import { Dialog } from '@cloudflare/kumo/components/dialog'
import { ArrowLineUpIcon } from '@phosphor-icons/react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { ticketPagesQuery } from '../../../api/project/tickets.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { editTickets } from '../state/edit-tickets.ts'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import { knownTicket } from '../state/ticket-cache.ts'
import { cleanFilter } from '../state/ticket-filter.ts'

const words = ticketsText.parentDialog
const SHOWN_MAX = 50
const ROW =
  'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-left hover:bg-kumo-tint pointer-coarse:min-h-11'

/** Moves a ticket below another one, or to the top level. An error is shown at the ticket. */
export function ParentDialog(props: { projectId: string; ticketId: string; onClose: () => void }) {
  const { projectId, ticketId, onClose } = props
  const client = useQueryClient()
  const ticket = knownTicket(client, projectId, ticketId)
  const [written, setWritten] = useState('')
  const q = useDeferredValue(written.trim())
  const search = useInfiniteQuery({
    ...ticketPagesQuery(projectId, cleanFilter({ q })),
    placeholderData: keepPreviousData,
  })
  const found = (search.data?.pages[0]?.items ?? []).filter(({ id }) => id !== ticketId).slice(0, SHOWN_MAX)
  const move = (parent: string | null) => {
    onClose()
    if (parent === ticket?.parent) return
    void editTickets(client, projectId, [ticketId], () => ({ parent }), ticketsText.done.parent)
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="flex max-h-[92dvh] w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.title}</Dialog.Title>
        <Dialog.Description className="break-words text-kumo-subtle">
          {words.hint(ticket?.title ?? '')}
        </Dialog.Description>
        <TextField
          label={words.find}
          type="search"
          value={written}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setWritten(event.target.value)}
        />
        {search.error && <FailureNote error={search.error} onRetry={() => void search.refetch()} />}
        <ul className="min-h-40 flex-1 overflow-y-auto">
          {ticket?.parent != null && (
            <li>
              <button type="button" className={ROW} onClick={() => move(null)}>
                <ArrowLineUpIcon className="size-4 shrink-0 text-tide" aria-hidden="true" />
                {words.top}
              </button>
            </li>
          )}
          {found.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                aria-current={other.id === ticket?.parent ? 'true' : undefined}
                className={`${ROW} aria-[current]:bg-tide-tint`}
                onClick={() => move(other.id)}
              >
                <StatusIcon status={other.status} className="size-4 shrink-0" />
                <span className="line-clamp-2 min-w-0 break-words">{other.title}</span>
              </button>
            </li>
          ))}
          {search.isSuccess && found.length === 0 && <li className="px-2 text-kumo-subtle">{words.none}</li>}
        </ul>
        <div className="flex justify-end">
          <Button variant="secondary" onClick={onClose}>
            {text.common.cancel}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
