import { Dialog } from '@cloudflare/kumo/components/dialog'
import { PlusIcon } from '@phosphor-icons/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ticketLabelsQuery } from '../../../api/project/tickets.ts'
import { text } from '../../../text/en.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import {
  applyMarks,
  findLabels,
  LABEL_CHARACTERS_MAX,
  type LabelMark,
  LABELS_MAX,
  marksOf,
  sameLabels,
} from './label-marks.ts'
import { cachedTicket } from '../../../state/tickets/ticket-cache.ts'

const labelDialogText = ticketsText.labelDialog
/** The maximum number of labels shown in the list. A person finds other labels by typing a part of their name. */
const LABELS_SHOWN_MAX = 100

export function LabelDialog(props: { projectId: string; ids: string[]; onClose: () => void }) {
  const { projectId, ids, onClose } = props
  const client = useQueryClient()
  const inUse = useQuery(ticketLabelsQuery(projectId)).data ?? []
  const tickets = ids.flatMap((id) => cachedTicket(client, projectId, id) ?? [])
  const [marks, setMarks] = useState<ReadonlyMap<string, LabelMark>>(() => marksOf(tickets))
  const [written, setWritten] = useState('')
  const known = [...new Set([...marks.keys(), ...inUse.map(({ label }) => label)])]
  const { found, named, isNew } = findLabels(known, written)
  const isTooMany = tickets.some(({ labels }) => applyMarks(labels, marks).length > LABELS_MAX)
  const set = (label: string, mark: LabelMark) => setMarks(new Map([...marks, [label, mark]]))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Enter adds the label in the field. When there is no label to add, Enter saves.
    if (named !== null && marks.get(named) !== 'all') {
      set(named, 'all')
      return setWritten('')
    }
    if (isTooMany) return
    onClose()
    void editTickets(
      client,
      projectId,
      ids,
      (ticket) => {
        const labels = applyMarks(ticket.labels, marks)
        return sameLabels(labels, ticket.labels) ? {} : { labels }
      },
      ticketsText.done.labels(ids.length),
    )
  }
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="base" className="flex max-h-[92dvh] w-full flex-col p-6">
        <form onSubmit={submit} className="flex min-h-0 flex-col gap-4">
          <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
            {labelDialogText.title(ids.length)}
          </Dialog.Title>
          <Dialog.Description className="sr-only">{labelDialogText.hint}</Dialog.Description>
          <TextField
            label={labelDialogText.find}
            description={labelDialogText.hint}
            {...(isTooMany && { error: labelDialogText.tooMany })}
            value={written}
            maxLength={LABEL_CHARACTERS_MAX}
            autoComplete="off"
            onChange={(event) => setWritten(event.target.value)}
          />
          <ul className="min-h-24 flex-1 overflow-y-auto">
            {isNew && (
              <li>
                <button
                  type="submit"
                  className="flex min-h-9 w-full cursor-pointer items-center gap-2.5 rounded-md px-1 text-left hover:bg-kumo-tint"
                >
                  <PlusIcon className="text-tide" aria-hidden="true" />
                  <span className="min-w-0 break-words">{labelDialogText.create(written.trim())}</span>
                </button>
              </li>
            )}
            {known.length === 0 && !isNew && <li className="text-kumo-subtle">{labelDialogText.none}</li>}
            {found.slice(0, LABELS_SHOWN_MAX).map((label) => (
              <LabelChoice key={label} label={label} mark={marks.get(label) ?? 'none'} onSet={set} />
            ))}
          </ul>
          <div className="flex justify-end gap-2">
            <Button variant="secondary" onClick={onClose}>
              {text.common.cancel}
            </Button>
            <Button variant="primary" type="submit" disabled={isTooMany}>
              {labelDialogText.submit}
            </Button>
          </div>
        </form>
      </Dialog>
    </Dialog.Root>
  )
}

function LabelChoice(props: {
  label: string
  mark: LabelMark
  onSet: (label: string, mark: LabelMark) => void
}) {
  const { label, mark, onSet } = props
  return (
    <li>
      <label className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-1 hover:bg-kumo-tint pointer-coarse:min-h-11">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = mark === 'some'
          }}
          checked={mark === 'all'}
          onChange={(event) => onSet(label, event.target.checked ? 'all' : 'none')}
          className="size-4 shrink-0"
        />
        <span className="min-w-0 break-words">{label}</span>
        {mark === 'some' && <span className="text-xs text-kumo-subtle">{labelDialogText.some}</span>}
      </label>
    </li>
  )
}
