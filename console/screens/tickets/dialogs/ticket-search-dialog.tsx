import { Dialog } from '@cloudflare/kumo/components/dialog'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { ticketPagesQuery } from '../../../api/project/tickets.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import { cleanFilter } from '../../../state/tickets/ticket-filter.ts'

const TICKETS_SHOWN_MAX = 50
const ROW_CLASSES =
  'flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1 text-left hover:bg-kumo-tint pointer-coarse:min-h-11'

export function TicketSearchDialog(props: {
  projectId: string
  words: { title: string; hint: string; find: string }
  offers: (ticket: Ticket) => boolean
  current?: string | null
  first?: { icon: ReactNode; words: string; onChoose: () => void } | null
  onChoose: (ticketId: string) => void
  onClose: () => void
}) {
  const { projectId, words, first, onClose } = props
  const [written, setWritten] = useState('')
  const q = useDeferredValue(written.trim())
  const search = useInfiniteQuery({
    ...ticketPagesQuery(projectId, cleanFilter({ q })),
    placeholderData: keepPreviousData,
  })
  const found = (search.data?.pages[0]?.items ?? []).filter(props.offers).slice(0, TICKETS_SHOWN_MAX)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="flex max-h-[92dvh] w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.title}</Dialog.Title>
        <Dialog.Description className="break-words text-kumo-subtle">{words.hint}</Dialog.Description>
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
          {first && (
            <li>
              <button type="button" className={ROW_CLASSES} onClick={first.onChoose}>
                {first.icon}
                {first.words}
              </button>
            </li>
          )}
          {found.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                aria-current={other.id === props.current ? 'true' : undefined}
                className={`${ROW_CLASSES} aria-[current]:bg-tide-tint`}
                onClick={() => props.onChoose(other.id)}
              >
                <StatusIcon status={other.status} className="size-4 shrink-0" />
                <span className="line-clamp-2 min-w-0 break-words">{other.title}</span>
              </button>
            </li>
          ))}
          {search.isSuccess && !search.isPlaceholderData && found.length === 0 && (
            <li className="px-2 text-kumo-subtle">{ticketsText.ticketSearch.none}</li>
          )}
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
